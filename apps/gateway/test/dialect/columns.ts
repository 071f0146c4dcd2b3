// Columns of each kind that a filter can test, and the comparison of their values with the text of a caller.

export interface TestedColumn {
  /** As a filter addresses it: a column, or a path into its JSON. */
  readonly name: string;
  readonly kind: 'word' | 'text' | 'number' | 'boolean' | 'date' | 'time' | 'instant' | 'uuid' | 'json';
  /** Values that rows have in this column, and other values of its kind, as a caller writes them. */
  readonly pool: readonly string[];
  readonly of: (row: Row) => unknown;
}

/** A value or an operand in a form that JavaScript compares as Postgres compares the values. */
export function comparable(kind: TestedColumn['kind'], value: unknown): string | number {
  switch (kind) {
    case 'number':
      return Number(value);
    case 'boolean':
      return Number(value === true || value === 'true' || value === 't');
    case 'instant':
      return Date.parse(String(value));
    case 'time':
      return String(value).slice(0, 5);
    case 'json':
      return JSON.stringify(JSON.parse(String(value)));
    default:
      return String(value);
  }
}

const own = (name: string, kind: TestedColumn['kind'], pool: readonly string[]): TestedColumn => ({
  name,
  kind,
  pool,
  of: (row) => row[name],
});

/** Words that have the same order in every collation. */
export const words = ['ant', 'bee', 'cat', 'dog', 'dogma'];

/** Texts that contain characters with a meaning in a URL, a filter, a pattern or an array. */
export const texts = [
  'a,b',
  'a "quoted" one',
  'per%cent_',
  'back\\slash',
  '(in) {braces}',
  'a.b:c->d',
  'NULL',
  'grün & rot',
  ' spaces ',
  "it's",
  '*star*',
  '',
];

const steps = (row: Row, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | null | undefined)?.[step] ?? null,
    row['metadata'],
  );

/** A value as `->>` returns it: text unchanged, null as null, other values as JSON. */
const asText = (value: unknown): unknown =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);

const asJson = (value: unknown): unknown => (value === null ? null : JSON.stringify(value));

export const columns: Readonly<Record<string, readonly TestedColumn[]>> = {
  appointments: [
    own('date', 'date', ['2026-01-05', '2026-01-06', '2026-02-28', '2025-12-31']),
    own('start_time', 'time', ['08:00', '09:30', '09:30:00', '17:45']),
    own('status', 'word', ['cancelled', 'no_show', 'completed']),
    own('notes', 'text', texts),
    own('allow_overlap', 'boolean', ['true', 'false', 't', 'f']),
    own('created_at', 'instant', [
      '2026-01-01T00:00:00Z',
      '2026-01-01T02:00:00+02:00',
      '2026-01-01 00:00:00.5+00',
      '2026-03-01T12:00:00Z',
    ]),
    own(
      'service_id',
      'uuid',
      [1, 2, 3].map((digit) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`),
    ),
  ],
  expenses: [
    own('amount', 'number', ['-3', '0.10', '12.5', '12.50', '1e2', '99999.99']),
    own('category', 'word', words),
    own('vendor', 'text', texts),
  ],
  conversation_log: [
    own('content', 'word', words),
    { name: 'metadata->>word', kind: 'word', pool: words, of: (row) => asText(steps(row, 'word')) },
    { name: 'metadata->>text', kind: 'text', pool: texts, of: (row) => asText(steps(row, 'text')) },
    {
      name: 'metadata->n',
      kind: 'json',
      pool: ['0', '1', '2.5', '"1"', 'true'],
      of: (row) => asJson(steps(row, 'n')),
    },
    {
      name: 'metadata->list->0',
      kind: 'json',
      pool: ['1', '"a"', '{"b":[1]}', '[]'],
      of: (row) => asJson(steps(row, 'list', 0)),
    },
    { name: 'metadata->deep->>x', kind: 'word', pool: words, of: (row) => asText(steps(row, 'deep', 'x')) },
  ],
};

/** A record as a response contains it. */
export type Row = Readonly<Record<string, unknown>>;
