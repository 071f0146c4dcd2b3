// The columns that each event type of a definition has in its data.

import type { Column, Columns } from './column.js';

/**
 * The data of an event type: `created` has the record, `deleted` has nothing, and a list has the listed columns that changed. `restored`
 * has the columns that an undo has set back, or all columns if the record was deleted before.
 * A change event may also have columns that are `internal` or `computed`.
 */
export type EventShape = 'created' | 'deleted' | 'restored' | readonly string[];

/** Whether events of a shape may have a column. */
export const holds = (shape: EventShape, column: string): boolean =>
  typeof shape === 'string' ? shape !== 'deleted' : shape.includes(column);

export type EventShapes = Readonly<Record<string, EventShape>>;

/** A shape as a definition writes it. `others` stands for every column that no other change event lists. */
export type DefinedShape<Name extends string = string> = 'created' | 'deleted' | 'others' | readonly Name[];

type Listed<Shapes> = {
  [Type in keyof Shapes]: Shapes[Type] extends readonly (infer Name)[] ? Name : never;
}[keyof Shapes];

type InternalNames<Own> = {
  [K in keyof Own]: Own[K] extends { readonly internal: true } | { readonly computed: true } ? K : never;
}[keyof Own];

/** Shapes with the columns of `others` listed. */
export type SpelledShapes<Own, Shapes> = {
  readonly [Type in keyof Shapes]: Spelled<Own, Shapes, Shapes[Type]>;
};

type Spelled<Own, Shapes, Shape> = Shape extends 'others'
  ? readonly Exclude<keyof Own & string, Listed<Shapes> | InternalNames<Own>>[]
  : Shape extends EventShape
    ? Shape
    : never;

/**
 * Replaces `others` by a list of its columns.
 * @throws {Error} if an event lists an unknown column, or two events are `others`
 */
export function spellOut(
  name: string,
  columns: Columns,
  shapes: Readonly<Record<string, DefinedShape>>,
): EventShapes {
  const all = Object.entries(shapes);
  const listed = new Set(all.flatMap(([, shape]) => (typeof shape === 'string' ? [] : shape)));
  for (const column of listed) if (!(column in columns)) throw new Error(`${name}.${column}: unknown column`);
  if (all.filter(([, shape]) => shape === 'others').length > 1)
    throw new Error(`${name}: only one event can hold the other columns`);
  const others = Object.entries(columns)
    .filter(([column, rules]) => !isCarried(rules) && !listed.has(column))
    .map(([column]) => column);
  return Object.fromEntries(all.map(([type, shape]) => [type, shape === 'others' ? others : shape]));
}

/** Whether every change event may have a column, even if its shape does not list the column. */
export const isCarried = ({ internal, computed }: Pick<Column, 'internal' | 'computed'>): boolean =>
  internal === true || computed === true;

// The event types that an undo needs in addition to the event types of the domain, derived for every resource.

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
