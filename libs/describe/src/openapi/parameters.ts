// The parameters that every resource takes alike, by the names that operations refer to them with.

const text = { type: 'string' };
const number = { type: 'integer', minimum: 0 };

const inQuery = (name: string, description: string, schema: object = text): object => ({
  name,
  in: 'query',
  description,
  schema,
});

const inHeader = (name: string, description: string, schema: object = text): object => ({
  name,
  in: 'header',
  description,
  schema,
});

const trees = (name: string): object => ({
  ...inQuery(name, `\`${name}=(status.eq.scheduled,and(date.gte.2030-01-01,notes.is.null))\``, {
    type: 'array',
    items: { type: 'string', pattern: '^\\s*\\(' },
  }),
  explode: true,
});

const prefer = (lines: readonly string[]): object =>
  inHeader('Prefer', ['Separated by commas:', ...lines.map((line) => `- ${line}`)].join('\n'));

const always = [
  '`count=exact`: how many there are in all, in `Content-Range`; `planned` and `estimated` count exactly too',
  '`handling=strict`: what is not understood is refused',
];

const dryRun = '`tx=rollback`: does everything, answers as if, and keeps nothing';
const returned =
  '`return=representation`: answers the records, as `select` has them; `minimal` (default); `headers-only`';
const missing = '`missing=default`: a column that only some records of the body name takes its default';
const affected =
  'with `handling=strict`: `max-affected=N`, `min-affected=N`: more or fewer records are refused, and nothing is kept';

export const parameters = {
  select: inQuery(
    'select',
    'Columns, `alias:column`, `column::text`, `json->>key`, aggregates (`amount.sum()`), related records: `start_time,clients(name)`. Everything when left out.',
  ),
  order: inQuery('order', '`date.desc.nullslast,start_time`; the id is added behind.'),
  limit: inQuery('limit', 'At most 1,000 are answered in any case.', number),
  offset: inQuery('offset', 'How many to pass over.', number),
  and: trees('and'),
  or: trees('or'),
  'not.and': trees('not.and'),
  'not.or': trees('not.or'),
  columns: inQuery('columns', 'Takes these columns of the body alone: `name,email`.'),
  on_conflict: inQuery(
    'on_conflict',
    'With `Prefer: resolution=…`: the columns that tell which records are the same; the id when left out.',
  ),
  id: {
    ...inQuery('id', 'The record: `eq.` and its id, and no other filter.', {
      type: 'string',
      pattern: '^eq\\.',
    }),
    required: true,
  },
  'Prefer.read': prefer([...always, '`timezone=Area/City`']),
  'Prefer.create': prefer([
    returned,
    '`resolution=merge-duplicates`: changes records that are there already; `ignore-duplicates`: passes over them',
    missing,
    dryRun,
    ...always,
  ]),
  'Prefer.change': prefer([returned, missing, affected, dryRun, ...always]),
  Range: inHeader('Range', 'A page: `0-24`.', { type: 'string', pattern: '^\\d+-\\d*$' }),
  'If-None-Match': inHeader('If-None-Match', 'Of a read by id: 304 while the record has this `ETag`.'),
  'If-Match': inHeader('If-Match', 'Of a write by id: 412 unless the record has this `ETag`.'),
  'Idempotency-Key': inHeader(
    'Idempotency-Key',
    'The write is carried out once in 24 hours; whoever repeats it gets the first answer again.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
  'Accept-Profile': inHeader('Accept-Profile', 'The schema, of which there is one.', { const: 'public' }),
  'Content-Profile': inHeader('Content-Profile', 'The schema, of which there is one.', { const: 'public' }),
  'X-Request-Id': inHeader('X-Request-Id', 'Taken for the id of the request, where it can be.', {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
};
