// Examples that work as they are documented: a body for each resource, and the same calls as curl and supabase-js.

import { visibleColumns } from '@practice/resource';
import type { Column, Resource } from '@practice/resource';
import { REST } from '../subject.js';

/** The id in examples that name one record. PUT of `clients` creates it, so later examples can refer to it. */
export const EXAMPLE_ID = '0190a000-0000-7000-8000-000000000001';

/**
 * A body that creates a record: the columns that a caller must give, and no other.
 * @param variant 0 or 1: two records of different variants do not conflict
 */
function exampleBody(resource: Resource, variant = 0): Record<string, unknown> {
  const given = visibleColumns(resource).filter(
    ([, { required, requiredUnless, readOnly }]) =>
      readOnly !== true && (required === true || requiredUnless !== undefined),
  );
  return Object.fromEntries(given.map(([name, column]) => [name, exampleValue(name, column, variant)]));
}

/** The id in examples of DELETE: not one that other examples refer to, which would be 409. */
export const DELETED_ID = '0190a000-0000-7000-8000-000000000002';

/** A body that changes a record. */
function exampleChange(resource: Resource): Record<string, unknown> {
  const changeable = visibleColumns(resource).filter(
    ([, { readOnly, references, oneOf, kind }]) =>
      readOnly !== true && references === undefined && oneOf === undefined && kind.name === 'text',
  );
  const [name] = changeable.at(-1) ?? [];
  return name === undefined ? exampleBody(resource) : { [name]: 'Changed' };
}

const values: Readonly<Record<string, unknown>> = {
  text: 'Example',
  integer: 50,
  decimal: 120.5,
  boolean: true,
  timeOfDay: '09:00',
  timestamp: '2030-01-07T09:00:00Z',
  json: {},
};

function exampleValue(name: string, { kind, oneOf, references, after }: Column, variant: number): unknown {
  if (oneOf !== undefined) return oneOf[variant % oneOf.length];
  if (references !== undefined) return EXAMPLE_ID;
  if (kind.name === 'timeOfDay' && after !== undefined) return '09:50';
  if (kind.name === 'date') return `2030-01-0${7 + variant}`;
  return name === 'name' ? 'Ada Lovelace' : values[kind.name];
}

export interface Example {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** After the resource: `?select=*&limit=10`. */
  readonly query: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The call in supabase-js, after `supabase.from('…')`. */
  readonly client: string;
}

const byId = `?id=eq.${EXAMPLE_ID}`;
const eqId = `.eq('id', '${EXAMPLE_ID}')`;

/** One example of each operation of a resource. */
export function examplesOf(resource: Resource): readonly Example[] {
  const body = exampleBody(resource);
  const change = exampleChange(resource);
  const whole = { id: EXAMPLE_ID, ...exampleBody(resource, 1) };
  const reads: Example[] = [
    {
      method: 'GET',
      query: '?select=*&order=created_at.desc&limit=10',
      client: `.select('*').order('created_at', { ascending: false }).limit(10)`,
    },
    { method: 'HEAD', query: '?select=*', client: `.select('*', { count: 'exact', head: true })` },
    { method: 'POST', query: '', body, client: `.insert(${literal(body)}).select()` },
  ];
  if (resource.appendOnly === true) return reads;
  return [
    ...reads,
    { method: 'PUT', query: byId, body: whole, client: `.upsert(${literal(whole)}).select()` },
    { method: 'PATCH', query: byId, body: change, client: `.update(${literal(change)})${eqId}.select()` },
    {
      method: 'DELETE',
      query: `?id=eq.${DELETED_ID}`,
      client: `.delete().eq('id', '${DELETED_ID}')`,
    },
  ];
}

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
  const script = `const { data, error } = await supabase\n  .from('${name}')\n  ${client};`;
  return `**curl**\n\n\`\`\`sh\n${curl}\n\`\`\`\n\n**supabase-js**\n\n\`\`\`js\n${script}\n\`\`\``;
}

const literal = (value: object): string =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");
