// The short description of records and functions, for readers with a small context, such as language models. It states each fact once.

import type { Resource } from '@practice/resource';
import { REST } from '../subject.js';
import { type CompactPathItem, type OpenApi, type Operation, type PathItem, reference } from './document.js';

const METHODS = ['get', 'post', 'patch', 'delete'];

/**
 * A short form of a whole document: reads, creations, changes and deletions of records, and functions, with their schemas. Accounts,
 * histories, headers, error responses and examples are left out; the description names the rules that all records share.
 * @param document see `openApi`
 * @param resources the resources whose records callers read
 */
export function compact(document: OpenApi, resources: Iterable<Resource>): OpenApi<CompactPathItem> {
  const histories = new Set([...resources].flatMap(({ name, historyOf }) => (historyOf ? [name] : [])));
  const paths = Object.entries(document.paths).flatMap(([path, item]): [string, CompactPathItem][] => {
    const name = path.startsWith(`${REST}/`) ? path.slice(REST.length + 1) : '';
    if (!/^(?:rpc\/)?\w+$/.test(name) || histories.has(name)) return [];
    return [[path, name.startsWith('rpc/') ? call(item) : records(item)]];
  });
  const schemas = { ...document.components['schemas'] };
  const { version, license, contact } = document['info'] as Record<string, unknown>;
  const used = usedSchemas(paths, schemas);
  return {
    openapi: document.openapi,
    info: { title: 'Practice API, compact', version, license, contact, description: ABOUT },
    servers: document['servers'],
    security: document['security'],
    tags: [],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: document.components['securitySchemes'] ?? {},
      parameters,
      schemas: Object.fromEntries(used.map((name) => [name, schemaOf(name, schemas)])),
    },
  };
}

/** The short form of a schema. A resource has one schema for reads and changes; the schema of a new record adds the required columns. */
function schemaOf(name: string, schemas: Readonly<Record<string, object>>): object {
  const [base = name, part] = name.split('.');
  const { required, allOf, ...schema } = brief(schemas[name]) as Record<string, unknown>;
  if (base === 'rpc') return name.endsWith('.result') ? schema : { ...schema, required };
  if (part !== 'insert') return schema;
  return { allOf: [reference('schemas', base), ...((allOf as object[] | undefined) ?? [])], required };
}

const records = (item: PathItem): CompactPathItem => ({
  parameters: [reference('parameters', 'query')],
  ...Object.fromEntries(
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [[method, operationOf(operation)]];
    }),
  ),
});

const call = ({ post }: PathItem): CompactPathItem =>
  post === undefined ? {} : { post: operationOf(post, post['description'] as string) };

/** The short form of an operation: its id, the first sentence of a description, the request body, and a response that has a body. */
function operationOf(operation: Operation, description?: string): object {
  const { operationId, requestBody, responses } = operation;
  const result = resultOf(operation);
  const status = Object.keys(responses).find((each) => each.startsWith('2')) ?? '200';
  const given = schemaIn(requestBody);
  const schema = given && (JSON.parse(JSON.stringify(given).replace('.update"', '"')) as object);
  return {
    operationId,
    ...(description === undefined ? {} : { description: sentence(description) }),
    ...(schema === undefined ? {} : { requestBody: { content: { 'application/json': { schema } } } }),
    ...(result === undefined ? {} : { responses: { [status]: result } }),
  };
}

/** The schema of a JSON body; if the body may be one record or several, the schema of one record. */
function schemaIn(body: unknown): object | undefined {
  const { content } = (body ?? {}) as { content?: Record<string, { schema: { anyOf?: object[] } }> };
  const schema = content?.['application/json']?.schema;
  return schema?.anyOf?.[0] ?? schema;
}

function resultOf({ operationId, responses }: Operation): object | undefined {
  const read = /^read_(\w+)$/.exec(String(operationId))?.[1];
  if (read !== undefined) return jsonResponse({ type: 'array', items: reference('schemas', read) });
  const result = /responses\/(rpc\.\w+\.result)"/.exec(JSON.stringify(responses))?.[1];
  return result === undefined ? undefined : jsonResponse(reference('schemas', result));
}

const jsonResponse = (schema: object): object => ({
  description: 'Done.',
  content: { 'application/json': { schema } },
});

/** The names of the schemas that the paths refer to. In this API the schemas of paths do not refer to further schemas. */
function usedSchemas(paths: readonly (readonly [string, CompactPathItem])[], schemas: object): string[] {
  const text = JSON.stringify(paths);
  return Object.keys(schemas).filter((name) => text.includes(`"#/components/schemas/${name}"`));
}

const LEFT_OUT = [
  'examples',
  'additionalProperties',
  ...['minLength', 'maxLength', 'minimum', 'maximum'],
  'pattern',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
];

/** Columns of every record, which the description names once. */
const EVERYWHERE = ['id', 'therapist_id', 'created_at', 'updated_at'];

/** A value without examples and bounds, and with only the first sentence of each description. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !LEFT_OUT.includes(name) && !EVERYWHERE.includes(name) && member !== 'uuid')
      .map(([name, member]) => [
        name,
        name === 'description' && typeof member === 'string' ? sentence(member) : brief(member),
      ]),
  );
}

const sentence = (text: string): string => /^.*?[.](?= |$)/s.exec(text)?.[0] ?? text;

const words = (description: string): object => ({ type: 'string', description });

const parameters = {
  query: {
    ...{ name: 'query', in: 'query', style: 'form', explode: true },
    description: 'Filters, a member for each (`column: operator.value`). The other members are for reads.',
    schema: {
      type: 'object',
      properties: {
        select: words('Columns and related records: `id,name,appointments(date,status)`.'),
        order: words('`date.desc,start_time`'),
        limit: { type: 'integer', maximum: 1000 },
        offset: { type: 'integer' },
      },
      additionalProperties: { type: 'string' },
    },
  },
};

const ABOUT = `The data API of a therapy practice, in the dialect of PostgREST. /rest/v1/openapi.json without \`?compact\` is the whole description.

Filters are \`column=operator.value\`: eq, neq, gt, gte, lt, lte, like, ilike, in.(a,b), is.null, and not. before any of them. PATCH and DELETE change every record that matches, so they need a filter. POST takes one
record or an array of up to 1,000: all are stored, or none.

\`Prefer: return=representation\` returns the records of a write; \`Prefer: tx=rollback\` is a dry run; \`Prefer: count=exact\` counts. \`Idempotency-Key\` makes a write safe to repeat. Each write answers \`Change-Id\`, which rpc/undo takes back.
Every record also has \`id\` (a UUID), \`therapist_id\` (the practice), \`created_at\` and \`updated_at\`. Each resource has a history, \`<resource>_history\` (at, event, actor_name, before, after), and \`as_of=<instant>\` reads its past state. Errors are JSON with code, message, details and hint.`;
