import type { Kind, Value } from './kind.js';
import { boolean, date, decimal, integer, json, text, timeOfDay, timestamp, uuid } from './kinds.js';

/** The rules of a column beside its kind. Plain data without functions, so that everything can be derived from it. */
export interface ColumnRules {
  /** Required on create. */
  readonly required?: boolean;
  /** Required on create unless this other column is given; the decider then computes the value from it. */
  readonly requiredUnless?: string;
  /** The value if a create omits the column. */
  readonly default?: Value;
  readonly oneOf?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** A forbidden value. */
  readonly not?: number;
  /** Text: must be an e-mail address. */
  readonly format?: 'email';
  /** JSON: maximum size of its text in bytes. */
  readonly maxBytes?: number;
  /** Text: maximum length in characters. */
  readonly maxLength?: number;
  readonly notBlank?: boolean;
  /** Times and dates: must be later than this other column. */
  readonly after?: string;
  /** Converted to lower case before any check. */
  readonly lowerCase?: boolean;
  /** The resource that the id refers to. */
  readonly references?: string;
  /** Callers cannot change it, but may repeat its value. */
  readonly readOnly?: boolean;
  /** Set by the server, on create as well. */
  readonly serverKept?: boolean;
  /** For rules and constraints only; callers cannot see or set it. */
  readonly internal?: boolean;
  /** Does not leave the service: events on the bus omit it. */
  readonly confidential?: boolean;
  readonly description?: string;
}

/** `Null` is whether a record may hold null there. */
export interface Column<T = unknown, Null extends boolean = boolean> extends ColumnRules {
  readonly kind: Kind<T>;
  readonly nullable: Null;
}

export type Columns = Readonly<Record<string, Column>>;

/** The rules that make a column not null. */
type NotNull =
  | { readonly required: true }
  | { readonly requiredUnless: string }
  | { readonly default: Exclude<Value, null> };

type NullOf<R> = R extends NotNull ? false : true;

/** The rules that the types of rows, commands and events depend on. */
type TypedRules<R> = Pick<R, Extract<keyof R, 'confidential' | 'internal' | 'requiredUnless'>>;

type Define<T> = <const R extends ColumnRules = Record<never, never>>(
  rules?: R,
) => Column<R extends { readonly oneOf: readonly (infer V)[] } ? V & T : T, NullOf<R>> & TypedRules<R>;

const of =
  <T>(kind: Kind<T>): Define<T> =>
  (rules?: ColumnRules) =>
    ({
      ...rules,
      kind,
      nullable:
        !(rules?.required ?? false) && rules?.requiredUnless === undefined && rules?.default === undefined,
    }) as never;

/** The column kinds as a definition spells them: `column.text({ required: true })`. */
export const column = {
  uuid: of(uuid),
  text: of(text),
  integer: of(integer),
  boolean: of(boolean),
  date: of(date),
  timeOfDay: of(timeOfDay),
  timestamp: of(timestamp),
  json: of(json),
  money: of(decimal(10, 2)),
  decimal: (precision: number, scale: number): Define<string> => of(decimal(precision, scale)),
} as const;
