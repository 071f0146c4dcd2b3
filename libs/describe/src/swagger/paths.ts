import { methodsOf, visibleColumns, argumentsInUrl, entries, isRequired } from '@practice/resource';
import type { Resource, Column, FunctionDefinition } from '@practice/resource';
import { filterName } from './parameters.js';
import { propertyOf } from './definitions.js';

/** The path of this document. */
export const rootPath = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' } },
  },
};

/** The operations on a resource's records. Records that cannot be changed have only GET and POST. */
export function pathOf(resource: Resource): object {
  const { name, description } = resource;
  const filters = visibleColumns(resource).map(([column]) => filterName(name, column));
  const operation = (parameters: readonly string[], responses: object): object => ({
    tags: [name],
    summary: description,
    parameters: parameters.map((parameter) => ({ $ref: `#/parameters/${parameter}` })),
    responses,
  });
  const read = operation([...filters, ...PAGE, 'preferCount'], {
    200: { description: 'OK', schema: { type: 'array', items: { $ref: `#/definitions/${name}` } } },
    206: { description: 'Partial Content' },
  });
  const post = operation([`body.${name}`, 'select', 'on_conflict', 'preferPost'], {
    201: { description: 'Created' },
  });
  const remove = operation([...filters, 'preferReturn'], NO_CONTENT);
  const patch = operation([...filters, `body.${name}`, 'preferReturn'], NO_CONTENT);
  const methods: readonly string[] = methodsOf(resource);
  const all = { get: read, post, delete: remove, patch };
  return Object.fromEntries(Object.entries(all).filter(([method]) => methods.includes(method.toUpperCase())));
}

const PAGE = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit'];

const NO_CONTENT = { 204: { description: 'No Content' } };

/** The calls of a function as PostgREST describes them. */
export function functionPath({ name, description, arguments: given, effect }: FunctionDefinition): object {
  const operation = { tags: [`(rpc) ${name}`], summary: description, produces: ['application/json'] };
  const responses = { 200: { description: 'OK' } };
  const properties = Object.fromEntries(entries(given).map(([arg, column]) => [arg, typeOf(column)]));
  const required = entries(given).flatMap(([arg, column]) => (isRequired(column) ? [arg] : []));
  const schema = { description, properties, type: 'object', ...(required.length > 0 && { required }) };
  const post = {
    ...operation,
    parameters: [{ in: 'body', name: 'args', required: true, schema }],
    responses,
  };
  if (effect === 'writes') return { post };
  const parameters = argumentsInUrl({ arguments: given }).map(([arg, column]) => ({
    ...{ in: 'query', name: arg, required: isRequired(column) },
    ...typeOf(column),
  }));
  return { get: { ...operation, parameters, responses }, post };
}

/** A JSON argument is a text, since it may be in the URL. */
const typeOf = (column: Column): object => ({
  ...propertyOf(column, column.description ?? ''),
  ...(column.kind.name === 'json' && { type: 'string' }),
});
