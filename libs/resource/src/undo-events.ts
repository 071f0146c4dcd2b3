// The event types that an undo needs in addition to the event types of the domain, derived for every resource.

import type { EventShapes } from './event-shapes.js';

type Pascal<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;

type Withdrawal<Name extends string, Shapes> = 'deleted' extends Shapes[keyof Shapes]
  ? unknown
  : { readonly [Type in `${Pascal<Name>}Withdrawn`]: 'deleted' };

/**
 * The event types of an undo. `AppointmentRestored`: columns have their earlier values again, or a deleted record exists again.
 * `ConversationWithdrawn`: an undo has removed a record. It exists only if the domain has no event that deletes records.
 */
export type UndoShapes<Name extends string, Shapes> = {
  readonly [Type in `${Pascal<Name>}Restored`]: 'restored';
} & Withdrawal<Name, Shapes>;

const pascal = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The event types of an undo for an aggregate with these events. */
export function undoShapes(aggregate: string, shapes: EventShapes): EventShapes {
  const ends = Object.values(shapes).includes('deleted');
  return {
    [`${pascal(aggregate)}Restored`]: 'restored',
    ...(ends ? {} : { [`${pascal(aggregate)}Withdrawn`]: 'deleted' }),
  };
}
