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
