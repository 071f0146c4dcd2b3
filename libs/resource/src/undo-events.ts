// The event types that an undo needs beside the words of the domain, derived for every resource.

import type { EventShapes } from './event-shapes.js';

type Pascal<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;

type Withdrawal<Name extends string, Shapes> = 'deleted' extends Shapes[keyof Shapes]
  ? unknown
  : { readonly [Type in `${Pascal<Name>}Withdrawn`]: 'deleted' };

/**
 * `AppointmentRestored`: columns have gone back to earlier values, or a deleted record is back with all of its columns.
 * `ConversationWithdrawn`, only if the domain has no event that ends a stream: an undo has taken the record back.
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
