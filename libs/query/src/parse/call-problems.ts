// Problems of calls of functions, worded as PostgREST words them.

import { problemFor, type Problem } from '@practice/core';
import { isRequired, type FunctionDefinition } from '@practice/resource';
import { nearestTable } from '../nearest.js';

/** The functions of the API, by name. */
export type Functions = ReadonlyMap<string, FunctionDefinition>;

/** How a function was called. */
export interface GivenArguments {
  readonly names: readonly string[];
  /** The type of the single unnamed argument that the body could also be. */
  readonly unnamed?: string;
  /** The body can only be that argument. */
  readonly isUnnamed?: boolean;
}

/** PGRST202: the function does not exist, or has other arguments. The hint is the function that the caller most likely means. */
export function functionNotFound(
  name: string,
  { names, unnamed, isUnnamed }: GivenArguments,
  functions: Functions,
): Problem {
  const sorted = [...names].sort().join(', ').slice(0, 500);
  const shown = name.slice(0, 100);
  const list = sorted === '' ? ' without parameters' : `(${sorted})`;
  const named =
    sorted === '' ? ' without parameters' : ` with parameter${names.length > 1 ? 's' : ''} ${sorted}`;
  const single = unnamed === undefined ? '' : ` with a single unnamed ${unnamed} parameter`;
  const searched = isUnnamed === true ? single : named + (single && ` or${single}`);
  return problemFor('PGRST202', {
    message: `Could not find the function public.${shown}${isUnnamed === true ? '' : list} in the schema cache`,
    details: `Searched for the function public.${shown}${searched}, but no matches were found in the schema cache.`,
    hint: hintFor(name, functions),
  });
}

function hintFor(name: string, functions: Functions): string | null {
  const definition = functions.get(name);
  if (definition !== undefined)
    return `Perhaps you meant to call the function public.${signatureOf(definition)}`;
  const near = nearestTable(name, functions.keys()) ?? withWord(name, functions);
  return near === null ? null : `Perhaps you meant to call the function public.${near}`;
}

/** The only function with this word in its name, as `erase` is in `erase_client`; null for none or several. */
function withWord(word: string, functions: Functions): string | null {
  const found = [...functions.keys()].filter((name) => name.split('_').includes(word.toLowerCase()));
  return found.length === 1 ? (found[0] as string) : null;
}

/** `undo(change_id, force?)`: arguments that may be omitted have a question mark. */
const signatureOf = ({ name, arguments: columns }: FunctionDefinition): string =>
  `${name}(${Object.entries(columns)
    .map(([argument, column]) => (isRequired(column) ? argument : `${argument}?`))
    .join(', ')})`;

/** The methods of a function, for the `Allow` header. */
export const methodsOfFunction = (definition: FunctionDefinition | undefined): string =>
  definition?.effect === 'writes' ? 'OPTIONS,POST' : 'OPTIONS,GET,HEAD,POST,QUERY';

export const methodNotForFunctions = (method: string, definition?: FunctionDefinition): Problem =>
  problemFor('PGRST101', {
    message: `Cannot use the ${method.slice(0, 20)} method on RPC`,
    headers: { Allow: methodsOfFunction(definition) },
  });

/** 25006: a function that writes was called with GET or HEAD. Postgres reports it too, as it refuses writes in a read-only transaction. */
export const writesOnly = (definition: FunctionDefinition): Problem =>
  problemFor('25006', {
    message: `cannot execute ${definition.name} in a read-only transaction`,
    hint: 'This function writes: call it with POST.',
    headers: { Allow: methodsOfFunction(definition) },
  });

export const oneObject: Problem = problemFor('PGRST102', {
  message: 'A function takes one object of arguments',
});
