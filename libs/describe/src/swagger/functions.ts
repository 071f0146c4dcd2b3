import {
  argumentsInUrl,
  entries,
  isRequired,
  type Column,
  type FunctionDefinition,
} from '@practice/resource';
import { propertyOf } from './definitions.js';

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
