import { Failure } from '@practice/operator';
import { joinStack, type Coordinates, type JoinedStack } from './coordinates.js';

/**
 * The stack that integration and end-to-end specs share.
 * @throws {Failure} in a spec that was not named `*.int.spec.ts` or `*.e2e.spec.ts`, for which none is started
 */
export function runningStack(): JoinedStack {
  const coordinates = process.env['PRACTICE_STACK'];
  if (coordinates === undefined) {
    throw new Failure('There is no stack here: name this spec *.int.spec.ts or *.e2e.spec.ts.');
  }
  return joinStack(JSON.parse(coordinates) as Coordinates);
}

/** A data folder with the databases of every service, migrated and empty. A stack for one spec starts from a copy. */
export function templateFolder(): string {
  const folder = process.env['PRACTICE_TEMPLATE'];
  if (folder === undefined)
    throw new Failure('There is no template here: name this spec *.int.spec.ts or *.e2e.spec.ts.');
  return folder;
}
