// The types that a definition implies for its rules: the values that commands and events may have.

import type { Event } from '@practice/core';
import type { StandardColumns } from './resource.js';
import type { ColumnsOf, Row, RowOf } from './row.js';

type ShapesOf<D> = D extends { readonly events: infer Shapes } ? Shapes : never;

/** True for a definition whose columns are not known to the compiler, as in the generic write path. */
type IsErased<D> = string extends keyof ColumnsOf<D> ? true : false;

/** Names of the columns of `D` that have this rule. */
type ColumnsWith<D, Rule> = {
  [K in keyof ColumnsOf<D>]: ColumnsOf<D>[K] extends Rule ? K : never;
}[keyof ColumnsOf<D>];

/** Columns that only the rules use. Any change event may have them. */
type Internal<D> = ColumnsWith<D, { readonly internal: true }>;

/** Columns that any change event may have. */
type Carried<D> = Internal<D> | ColumnsWith<D, { readonly computed: true }>;

/** Columns that the decider fills if they are null in a command. */
type Filled<D> = ColumnsWith<D, { readonly requiredUnless: string | readonly string[] }>;

type Proposed<D, K extends keyof RowOf<D>> = K extends Filled<D> ? RowOf<D>[K] | null : RowOf<D>[K];

/** A record in a create command. Columns with `requiredUnless` may still be null. */
export type Draft<D> = IsErased<D> extends true ? Row : { readonly [K in keyof RowOf<D>]: Proposed<D, K> };

/** The columns that a change command sets. Null in a column with `requiredUnless` asks the decider to fill it. */
export type Changes<D> =
  IsErased<D> extends true
    ? Row
    : {
        readonly [K in Exclude<keyof RowOf<D>, keyof StandardColumns | Internal<D>>]?: Proposed<D, K>;
      };

/** The columns that an undo sets back, with their earlier values. */
export type Restored<D> =
  IsErased<D> extends true ? Row : Readonly<Partial<Pick<RowOf<D>, keyof Changes<D> & keyof RowOf<D>>>>;

/** The names of the commands of `D` that are not changes by a caller; `never` if the definition lists none. */
export type Acts<D> = D extends { readonly acts?: readonly (infer A extends string)[] } ? A : never;

/** The data of an event in the log. Columns that the event may not have are `never`, so the compiler does not accept a whole row. */
type DataOf<D, Shape> = Shape extends 'created'
  ? RowOf<D>
  : Shape extends 'deleted'
    ? Readonly<Record<string, never>>
    : Shape extends 'restored'
      ? { readonly [K in keyof RowOf<D>]?: RowOf<D>[K] }
      : Shape extends readonly (infer Held)[]
        ? { readonly [K in keyof RowOf<D>]?: K extends Held | Carried<D> ? RowOf<D>[K] : never }
        : never;

/** The events of the aggregate `D`, as its decider returns them. */
export type EventOf<D> = string extends keyof ShapesOf<D>
  ? Event
  : {
      [Type in keyof ShapesOf<D> & string]: Event<Type, DataOf<D, ShapesOf<D>[Type]>>;
    }[keyof ShapesOf<D> & string];

/** The event type of an undo that sets columns back, when no event of the domain describes the undo. */
export type RestoredTypeOf<D> = {
  [Type in keyof ShapesOf<D> & string]: ShapesOf<D>[Type] extends 'restored' ? Type : never;
}[keyof ShapesOf<D> & string];

/** The change event types of `D` whose data may have the column `K`. */
export type EventTypesWith<D, K> = {
  [Type in keyof ShapesOf<D> & string]: ShapesOf<D>[Type] extends readonly (infer Held)[]
    ? K extends Held
      ? Type
      : never
    : never;
}[keyof ShapesOf<D> & string];
