import { Failure } from '@practice/operator';
import { joinStack, type Coordinates, type JoinedStack } from './coordinates.js';

/**
 * The stack that integration and end-to-end specs share.
 * @throws {Failure} in a spec that was not named `*.int.spec.ts` or `*.e2e.spec.ts`, for which none is started
 */
export function runningStack(): JoinedStack {
  return joinStack(JSON.parse(given('PRACTICE_STACK', 'stack')) as Coordinates);
}

/** A data folder with the databases of every service, migrated and empty. A stack for one spec starts from a copy. */
export const templateFolder = (): string => given('PRACTICE_TEMPLATE', 'template');

function given(variable: string, title: string): string {
  const value = process.env[variable];
  if (value !== undefined) return value;
  throw new Failure(`There is no ${title} here: name this spec *.int.spec.ts or *.e2e.spec.ts.`);
}
