// The calls of functions, `/rest/v1/rpc/<name>`.

import { argumentsInUrl, entries, isRequired, resultColumns } from '@practice/resource';
import { servicesOf, type Column, type Columns, type FunctionDefinition } from '@practice/resource';
import { REST } from '../subject.js';
import { type Operation, parametersOf, type PathItem, reference } from './document.js';
import { functionSamples } from './examples.js';
import { headersOf } from './headers.js';
import { anyRefusals, refusals } from './problems.js';
import { readProperty, withDefault } from './schemas.js';
import { formats, READ_HEADERS, refusedHead, response } from './responses.js';

export const functionTag = { name: 'functions', description: 'Operations that are not about one resource.' };

const schemaName = ({ name }: FunctionDefinition, part: 'arguments' | 'result'): string =>
  `rpc.${name}.${part}`;

/** The arguments and the result of a function. */
export function functionSchemas(definition: FunctionDefinition): Record<string, object> {
  const { arguments: given, returns } = definition;
  const isVoid = returns.kind === 'nothing';
  return {
    [schemaName(definition, 'arguments')]: argumentsSchema(given),
    ...(isVoid ? {} : { [schemaName(definition, 'result')]: resultSchema(definition) }),
  };
}

const argumentsSchema = (columns: Columns): object => ({
  type: 'object',
  properties: Object.fromEntries(entries(columns).map(([name, column]) => [name, argumentSchema(column)])),
  required: entries(columns).flatMap(([name, column]) => (isRequired(column) ? [name] : [])),
  additionalProperties: false,
});

const argumentSchema = (column: Column): object => withDefault(column, readProperty(column));

function resultSchema(definition: FunctionDefinition): object {
  const columns = entries(resultColumns(definition));
  return {
    type: 'object',
    properties: Object.fromEntries(columns.map(([name, column]) => [name, readProperty(column)])),
    required: columns.map(([name]) => name),
  };
}

/** The operations of a function: POST, and also GET and HEAD for a function that reads. */
export function functionPath(definition: FunctionDefinition): Record<string, PathItem> {
  const { name, effect } = definition;
  const reads = { get: getOf(definition), head: headOf(definition) };
  return {
    [`${REST}/rpc/${name}`]: { ...(effect === 'reads' ? reads : {}), post: postOf(definition) },
  };
}

const head = ({ name }: FunctionDefinition, verb: string, how: string) => ({
  tags: [functionTag.name],
  operationId: `${verb}_${name}`,
  summary: `Call ${name}${how}`,
});

const PAGED = ['select', 'order', 'limit', 'offset', 'and', 'or', 'not.and', 'not.or'];
const ALWAYS = ['X-Request-Id'];

const shaping = ({ returns }: FunctionDefinition): readonly string[] =>
  returns.kind === 'nothing' ? [] : PAGED;

function postOf(definition: FunctionDefinition): Operation {
  const { name, description, effect, arguments: given } = definition;
  const writes = effect === 'writes';
  const example = functionSamples(definition);
  const schema = reference('schemas', schemaName(definition, 'arguments'));
  return {
    ...head(definition, 'call', ''),
    description: [description, whoMayCall(definition), example.code].join('\n\n'),
    parameters: parametersOf([
      ...shaping(definition),
      ...(writes ? ['Idempotency-Key', 'Change-Reason', 'If-Match', 'Prefer.call'] : ['Prefer.read']),
      ...['Content-Profile', ...ALWAYS],
    ]),
    requestBody: {
      required: entries(given).some(([, column]) => isRequired(column)),
      content: {
        'application/json': { schema, ...(example.isWhole && { example: example.body }) },
        'application/x-www-form-urlencoded': { schema },
      },
    },
    responses: responsesOf(definition, writes),
    // A function that writes may need a value that only its practice has.
    ...(!writes &&
      example.isWhole && { 'x-example': { method: 'POST', path: `/rpc/${name}`, body: example.body } }),
  };
}

const whoMayCall = ({ roles, needsSession }: FunctionDefinition): string =>
  [
    `Roles: ${roles.join(', ')}.`,
    ...(needsSession === true ? ['Only a signed-in session may call it.'] : []),
  ].join(' ');

const getOf = (definition: FunctionDefinition): Operation => ({
  ...head(definition, 'get', ' with GET'),
  description: definition.description,
  parameters: [
    ...inQuery(definition),
    ...parametersOf([...shaping(definition), 'Prefer.read', 'Range', ...ALWAYS]),
  ],
  responses: responsesOf(definition, false),
});

const headOf = (definition: FunctionDefinition): Operation => ({
  ...head(definition, 'count', ': the headers without the body'),
  description: definition.description,
  parameters: [...inQuery(definition), ...parametersOf([...shaping(definition), 'Prefer.read', ...ALWAYS])],
  responses: {
    200: response('Counted'),
    206: response('Counted', 'GET would return a page of the rows.'),
    204: response('Written', 'The function returns nothing.'),
    ...refusedHead,
  },
});

const inQuery = (definition: FunctionDefinition): object[] =>
  argumentsInUrl(definition).map(([name, column]) => ({
    ...{ name, in: 'query', required: isRequired(column) },
    ...(column.description === undefined ? {} : { description: column.description }),
    schema: argumentSchema(column),
  }));

/** The response with the result of a function. */
export function functionResponses(definition: FunctionDefinition): Record<string, object> {
  const { returns, effect } = definition;
  if (returns.kind === 'nothing') return {};
  const schema = schemaName(definition, 'result');
  return {
    [schema]: {
      description: returns.kind === 'rows' ? 'The rows.' : 'The object.',
      headers: headersOf([...READ_HEADERS, ...(effect === 'writes' ? CALL_HEADERS : [])]),
      content: formats(schema, returns.kind === 'rows'),
    },
  };
}

const CALL_HEADERS = ['Idempotency-Replayed', 'Change-Id'];

function responsesOf(definition: FunctionDefinition, writes: boolean): Record<string, object> {
  const refused = refusals(
    ...anyRefusals,
    ...(['MethodNotAllowed', 'TooLarge', 'RangeNotSatisfiable'] as const),
    ...(writes ? (['Conflict', 'Changed', 'Full'] as const) : []),
  );
  if (definition.returns.kind === 'nothing') return { 204: response('Written', 'Done.'), ...refused };
  const result = schemaName(definition, 'result');
  const isInParts = writes && definition.isCoordinated !== true && servicesOf(definition).length > 1;
  return {
    [definition.isAccepted === true ? 202 : 200]: response(result),
    206: response(result, 'A page of the rows; `Content-Range` has the total.'),
    ...(isInParts && { 207: response(result, 'The parts of some services failed.') }),
    ...refused,
  };
}
