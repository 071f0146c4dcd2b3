import { servicesOf, type FunctionDefinition } from '@practice/resource';
import * as exported from './functions.js';

const definitions: readonly FunctionDefinition[] = Object.values(exported);

/** Every function, by name. Definitions are read at load, so two functions with the same name fail at startup. */
export const functions: ReadonlyMap<string, FunctionDefinition> = byName(definitions);

/** The functions that a service executes as a whole or in part. */
export const functionsOf = (service: string): FunctionDefinition[] =>
  definitions.filter(
    (definition) => definition.isCoordinated !== true && servicesOf(definition).includes(service),
  );

function byName(all: readonly FunctionDefinition[]): ReadonlyMap<string, FunctionDefinition> {
  const named = new Map(all.map((definition) => [definition.name, definition]));
  if (named.size !== all.length) throw new Error('two functions have the same name');
  const odd = all.find(
    (one) => one.isCoordinated !== true && servicesOf(one).length > 1 && one.returns.kind !== 'rows',
  );
  if (odd !== undefined) throw new Error(`${odd.name} has parts in several services, so it must return rows`);
  const misplaced = all.find(
    (one) => one.inBackground && (one.effect !== 'writes' || servicesOf(one).length > 1),
  );
  if (misplaced !== undefined)
    throw new Error(
      `${misplaced.name} goes on in the background, so it must write and belong to one service`,
    );
  return named;
}
