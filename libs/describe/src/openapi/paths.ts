// What can be done with a resource's records.

import { visibleColumns } from '@practice/resource';
import type { Catalog, Resource } from '@practice/resource';
import { filterName } from './filters.js';
import type { Operation, PathItem } from './document.js';
import { anyRefusals, refusals } from './problems.js';
import { reference } from './reference.js';
import { response } from './responses.js';

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
      200: response(`${name}.read`),
      206: response(`${name}.read`, 'A part of the records, of which all were counted.'),
      304: response('NotModified'),
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

function headOf(resource: Resource): Operation {
  const { name } = resource;
  const refused = [300, 400, 401, 403, 404, 406, 416, 429, 500, 503, 504];
  return {
    tags: [name],
    operationId: `count_${name}`,
    summary: 'The same without the records: to count them',
    parameters: parametersOf([...filters(resource), ...READ, 'If-None-Match']),
    responses: {
      200: response('Counted'),
      206: response('Counted', 'A part of the records would follow.'),
      304: response('NotModified'),
      ...Object.fromEntries(refused.map((status) => [status, response('Refused')])),
    },
  };
}

/** Where records are written once, there is nothing to merge into. */
function createOf({ name, appendOnly }: Resource): Operation {
  const merged = response(`${name}.written`, 'Merged into records that were there.');
  return {
    tags: [name],
    operationId: `create_${name}`,
    summary: 'Create records: one, or up to 1,000 of which all are kept or none',
    parameters: parametersOf([...WRITTEN, 'columns', 'on_conflict', 'Prefer.create']),
    requestBody: bodyOf(`${name}.insert`, { many: true }),
    responses: {
      ...(appendOnly === true ? {} : { 200: merged }),
      201: response(`${name}.written`, 'Created; a body with `return=representation`.'),
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
      201: response(`${name}.written`, 'Created.'),
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
  200: response(`${name}.written`, `${what}; the records, with \`return=representation\`.`),
  204: response('Written', `${what}.`),
});

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
