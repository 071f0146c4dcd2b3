import { methodsOf, visibleColumns, type Resource } from '@practice/resource';
import { filterName } from './parameters.js';

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
