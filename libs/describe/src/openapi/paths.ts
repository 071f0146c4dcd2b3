// What can be done with a resource's records.

import { visibleColumns } from '@practice/resource';
import type { Catalog, Resource } from '@practice/resource';
import { filterName } from './filters.js';
import { commonHeaders } from './headers.js';
import type { Operation, PathItem } from './document.js';
import { anyRefusals, refusals } from './problems.js';
import { reference, references } from './reference.js';

/** The operations of a resource; those on records that are written once are reads and POST. */
export function pathOf(resource: Resource, catalog: Catalog): PathItem {
  const reads = { get: readOf(resource, catalog), head: headOf(resource) };
  if (resource.appendOnly === true) return { ...reads, post: createOf(resource) };
  return {
    ...reads,
    post: createOf(resource),
    patch: changeOf(resource),
    put: putOf(resource),
    delete: removeOf(resource),
  };
}

const FILTERED = ['and', 'or', 'not.and', 'not.or'];
const PAGED = ['select', 'order', 'limit', 'offset', ...FILTERED];
const READ = [...PAGED, 'Prefer.read', 'Accept-Profile', 'X-Request-Id'];
const WRITTEN = ['select', 'Idempotency-Key', 'Content-Profile', 'X-Request-Id'];

const parametersOf = (names: readonly string[]): object[] =>
  names.map((name) => reference('parameters', name));

const filters = (resource: Resource): string[] =>
  visibleColumns(resource).map(([column]) => filterName(resource.name, column));

function readOf(resource: Resource, catalog: Catalog): Operation {
  const { name, description } = resource;
  const related = relatedTo(resource, catalog);
  return {
    tags: [name],
    operationId: `read_${name}`,
    summary: 'Read records',
    description:
      related.length === 0 ? description : `${description} Related records: ${related.join(', ')}.`,
    parameters: parametersOf([...filters(resource), ...READ, 'Range', 'If-None-Match']),
    responses: {
      200: records(name, 'The records.', READ_HEADERS),
      206: records(name, 'A part of the records, of which all were counted.', READ_HEADERS),
      304: { description: 'Still the version that the caller has.', headers: headersOf(['ETag']) },
      ...refusals(...anyRefusals, 'RangeNotSatisfiable'),
    },
  };
}

function relatedTo({ name }: Resource, { relations }: Catalog): string[] {
  return [
    ...relations.filter(({ from }) => from === name).map(({ to }) => `\`${to}\` (one)`),
    ...relations.filter(({ to }) => to === name).map(({ from }) => `\`${from}\` (many)`),
  ];
}

const READ_HEADERS = ['Content-Range', 'Content-Location', 'Preference-Applied', 'ETag', 'Link'];
const WRITE_HEADERS = ['Content-Range', 'Preference-Applied', 'Idempotency-Replayed', 'ETag'];

const REFUSAL_HEADERS = ['Proxy-Status', 'WWW-Authenticate', 'Retry-After', 'Content-Range'];

function headOf(resource: Resource): Operation {
  const empty = (description: string): object => ({ description, headers: headersOf(READ_HEADERS) });
  const refused = [300, 400, 401, 403, 404, 406, 416, 429, 500, 503, 504].map((status) => [
    status,
    { description: 'As for GET, without a body.', headers: headersOf(REFUSAL_HEADERS) },
  ]);
  return {
    tags: [resource.name],
    operationId: `count_${resource.name}`,
    summary: 'The same without the records: to count them',
    parameters: parametersOf([...filters(resource), ...READ, 'If-None-Match']),
    responses: {
      200: empty('The records would follow.'),
      206: empty('A part of the records would follow.'),
      304: empty('Still the version that the caller has.'),
      ...Object.fromEntries(refused),
    },
  };
}

/** Where records are written once, there is nothing to merge into. */
function createOf({ name, appendOnly }: Resource): Operation {
  const merged = records(name, 'Merged into records that were there.', WRITE_HEADERS);
  return {
    tags: [name],
    operationId: `create_${name}`,
    summary: 'Create records: one, or up to 1,000 of which all are kept or none',
    parameters: parametersOf([...WRITTEN, 'columns', 'on_conflict', 'Prefer.create']),
    requestBody: bodyOf(`${name}.insert`, { many: true }),
    responses: {
      ...(appendOnly === true ? {} : { 200: merged }),
      201: records(name, 'Created; a body with `return=representation`.', [...WRITE_HEADERS, 'Location']),
      ...refusals(...anyRefusals, 'MethodNotAllowed', 'Conflict', 'TooLarge'),
    },
  };
}

function changeOf(resource: Resource): Operation {
  const { name } = resource;
  return {
    tags: [name],
    operationId: `change_${name}`,
    summary: 'Change every record that the filters find',
    parameters: parametersOf([
      ...filters(resource),
      ...FILTERED,
      ...WRITTEN,
      ...['order', 'columns', 'Prefer.change', 'If-Match'],
    ]),
    requestBody: bodyOf(`${name}.update`, { many: false }),
    responses: {
      ...written(name, 'Changed'),
      ...refusals(...anyRefusals, 'MethodNotAllowed', 'Conflict', 'Changed', 'TooLarge'),
    },
  };
}

function putOf({ name }: Resource): Operation {
  return {
    tags: [name],
    operationId: `put_${name}`,
    summary: 'This record shall be so, whether it was there or not',
    parameters: parametersOf(['id', ...WRITTEN, 'columns', 'Prefer.change']),
    requestBody: bodyOf(`${name}.insert`, { many: false }),
    responses: {
      201: records(name, 'Created.', WRITE_HEADERS),
      ...written(name, 'Put'),
      ...refusals(...anyRefusals, 'MethodNotAllowed', 'Conflict', 'TooLarge'),
    },
  };
}

function removeOf(resource: Resource): Operation {
  const { name } = resource;
  return {
    tags: [name],
    operationId: `delete_${name}`,
    summary: 'Delete every record that the filters find',
    parameters: parametersOf([
      ...filters(resource),
      ...FILTERED,
      ...WRITTEN,
      'order',
      'Prefer.change',
      'If-Match',
    ]),
    responses: {
      ...written(name, 'Deleted'),
      ...refusals(...anyRefusals, 'MethodNotAllowed', 'Conflict', 'Changed', 'TooLarge'),
    },
  };
}

const written = (name: string, what: string): Record<string, object> => ({
  200: records(name, `${what}; the records, with \`return=representation\`.`, WRITE_HEADERS),
  204: { description: `${what}.`, headers: headersOf(WRITE_HEADERS) },
});

const headersOf = (names: readonly string[]): object => ({
  ...commonHeaders,
  ...references('headers', names),
});

/** Records in every form that `Accept` can ask for. */
function records(name: string, description: string, headers: readonly string[]): object {
  const record = { anyOf: [reference('schemas', name), reference('schemas', 'Selected')] };
  const list = { schema: { type: 'array', items: record } };
  const stripped = reference('schemas', 'Selected');
  return {
    description,
    headers: headersOf(headers),
    content: {
      'application/json': list,
      'application/vnd.pgrst.object+json': { schema: record },
      'application/vnd.pgrst.array+json;nulls=stripped': { schema: { type: 'array', items: stripped } },
      'application/vnd.pgrst.object+json;nulls=stripped': { schema: stripped },
      'text/csv': { schema: { type: 'string' } },
    },
  };
}

function bodyOf(schema: string, { many }: { readonly many: boolean }): object {
  const one = reference('schemas', schema);
  return {
    required: true,
    content: {
      'application/json': {
        schema: many ? { anyOf: [one, { type: 'array', items: one, maxItems: 1000 }] } : one,
      },
      'text/csv': {
        schema: { type: 'string', description: 'A line of names, then a line for each record.' },
      },
      'application/x-www-form-urlencoded': { schema: one },
    },
  };
}
