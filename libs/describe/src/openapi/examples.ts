// Examples that work without changes: a body for each resource, and the same calls with curl and supabase-js.

import { entries, formats, isRequired, methodsOf, visibleColumns } from '@practice/resource';
import type { Column, FunctionDefinition, Resource } from '@practice/resource';
import { REST } from '../subject.js';

/** The id in examples that name one record. PUT of `clients` creates it, so later examples can refer to it. */
export const EXAMPLE_ID = '0190a000-0000-7000-8000-000000000001';

/**
 * A body that creates a record, with the required columns and the example of the definition.
 * @param variant 0 or 1; records of different variants do not conflict
 */
function exampleBody(resource: Resource, variant = 0): Record<string, unknown> {
  const { columns, example = {} } = resource as Resource & { columns: Readonly<Record<string, Column>> };
  const isGiven = ({ required, requiredUnless, readOnly }: Column): boolean =>
    readOnly !== true &&
    (required === true ||
      (requiredUnless !== undefined &&
        [requiredUnless].flat().every((other) => columns[other]?.required !== true)));
  const given = visibleColumns(resource).filter(([, column]) => isGiven(column));
  const suggested = given.map(([name, column]) => [name, exampleValue(name, column, variant)] as const);
  const body = { ...Object.fromEntries(suggested), ...example };
  // The appointments of a series must not overlap with the appointment of another example.
  return given.some(([, { format }]) => format === 'recurrence')
    ? { ...body, start_time: '14:00', end_time: '14:50' }
    : body;
}

/** The id in examples of DELETE. Other examples do not refer to it, since a DELETE of `EXAMPLE_ID` would be a 409. */
export const DELETED_ID = '0190a000-0000-7000-8000-000000000002';

/** A body that changes a record. */
function exampleChange(resource: Resource): Record<string, unknown> {
  const changeable = visibleColumns(resource).filter(([, { readOnly, fixed }]) => !readOnly && !fixed);
  const [name, column] =
    changeable.findLast(
      ([, { references, oneOf, kind }]) =>
        references === undefined && oneOf === undefined && kind.name === 'text',
    ) ?? [];
  if (name !== undefined && column !== undefined)
    return { [name]: column.format === undefined ? 'Changed' : exampleValue(name, column, 1) };
  const body = exampleBody(resource, 1);
  return Object.fromEntries(changeable.flatMap(([each]) => (each in body ? [[each, body[each]]] : [])));
}

const values: Readonly<Record<string, unknown>> = {
  text: 'Example',
  integer: 50,
  decimal: 120.5,
  boolean: true,
  timeOfDay: '09:00',
  timestamp: '2030-01-07T09:00:00Z',
  json: {},
  texts: ['https://app.example/callback'],
};

function exampleValue(
  name: string,
  { kind, oneOf, references, after, format, max }: Column,
  variant: number,
): unknown {
  if (oneOf !== undefined) return oneOf[variant % oneOf.length];
  if (references !== undefined) return EXAMPLE_ID;
  if (format !== undefined) return formats[format].example(variant);
  if (kind.name === 'timeOfDay' && after !== undefined) return '09:50';
  if (kind.name === 'date') return `2030-01-0${7 + variant}`;
  if (name === 'name') return 'Ada Lovelace';
  const value = values[kind.name];
  return typeof value === 'number' && max !== undefined ? Math.min(value, max) : value;
}

export interface Example {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The part of the URL after the resource: `?select=*&limit=10`. */
  readonly query: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The call in supabase-js, after `supabase.from('…')`. */
  readonly client: string;
}

const byId = `?id=eq.${EXAMPLE_ID}`;
const eqId = `.eq('id', '${EXAMPLE_ID}')`;

const counted: Example = {
  method: 'HEAD',
  query: '?select=*',
  client: `.select('*', { count: 'exact', head: true })`,
};

/** A read of the ten newest rows. */
const newest = (by: string, columns: readonly string[] = ['*']): Example => ({
  method: 'GET',
  query: `?select=${columns.join()}&order=${by}.desc&limit=10`,
  client: `.select('${columns.join(', ')}').order('${by}', { ascending: false }).limit(10)`,
});

/** One example of each operation of a resource. */
export function examplesOf(resource: Resource): readonly Example[] {
  if (resource.historyOf !== undefined) return [newest('position', SHOWN_OF_HISTORY), counted];
  if (resource.isPlainTable === true) return [newest('at'), counted];
  const body = exampleBody(resource);
  const change = exampleChange(resource);
  const whole = { id: EXAMPLE_ID, ...exampleBody(resource, 1) };
  const all: Example[] = [
    newest('created_at'),
    counted,
    { method: 'POST', query: '', body, client: `.insert(${literal(body)}).select()` },
    { method: 'PUT', query: byId, body: whole, client: `.upsert(${literal(whole)}).select()` },
    { method: 'PATCH', query: byId, body: change, client: `.update(${literal(change)})${eqId}.select()` },
    {
      method: 'DELETE',
      query: `?id=eq.${DELETED_ID}`,
      client: `.delete().eq('id', '${DELETED_ID}')`,
    },
  ];
  return all.filter(({ method }) => methodsOf(resource).includes(method));
}

const SHOWN_OF_HISTORY = ['at', 'event', 'actor_name', 'reason', 'before', 'after'];

/** The example of an operation as code, in Markdown. */
export function codeSamples({ name }: Resource, { method, query, body, client }: Example): string {
  const option = method === 'HEAD' ? '--head' : `-X ${method}`;
  const curl = [
    `curl -g ${option} "$API${REST}/${name}${query}"`,
    `  -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN"`,
    ...(method === 'HEAD' ? ['  -H "Prefer: count=exact"'] : []),
    ...(body === undefined
      ? []
      : [
          `  -H "Content-Type: application/json" -H "Prefer: return=representation"`,
          `  -d '${JSON.stringify(body)}'`,
        ]),
  ].join(' \\\n');
  return samples(curl, `const { data, error } = await supabase\n  .from('${name}')\n  ${client};`);
}

const samples = (curl: string, script: string): string =>
  `**curl**\n\n\`\`\`sh\n${curl}\n\`\`\`\n\n**supabase-js**\n\n\`\`\`js\n${script}\n\`\`\``;

/** A call of a function as code, in Markdown, with a value for each required argument. */
export function functionSamples({ name, arguments: given, example }: FunctionDefinition) {
  const required = entries(given).filter(([, column]) => isRequired(column));
  const values = Object.fromEntries(
    required.map(([argument, column]) => [argument, exampleValue(argument, column, 0) ?? EXAMPLE_ID]),
  );
  const body = example ?? values;
  const isEmpty = Object.keys(body).length === 0;
  const curl = [
    `curl -g -X POST "$API${REST}/rpc/${name}"`,
    `  -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN"`,
    `  -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`,
  ].join(' \\\n');
  const script = `const { data, error } = await supabase.rpc('${name}'${isEmpty ? '' : `, ${literal(body)}`});`;
  return {
    body,
    /** Whether the example works without changes. */
    isWhole: isEmpty,
    code: samples(curl, script),
  };
}

const literal = (value: object): string =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");
