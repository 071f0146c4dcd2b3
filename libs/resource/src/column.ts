import type { Kind, Value } from './kind.js';
import { boolean, date, decimal, integer, json, text, timeOfDay, timestamp, uuid } from './kinds.js';

/** What a definition says about a column beside its kind. Data only: no functions, so everything can be derived from it. */
export interface ColumnRules {
  /** Must be given on create. */
  readonly required?: boolean;
  /** Required on create unless that other column is given: the decider fills it from there. */
  readonly requiredUnless?: string;
  /** The value when a create does not name the column. */
  readonly default?: Value;
  readonly oneOf?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** The one value that it may not have. */
  readonly not?: number;
  /** Text: must be such an address. */
  readonly format?: 'email';
  /** JSON: bytes of its text at most. */
  readonly maxBytes?: number;
  /** Text: characters at most. */
  readonly maxLength?: number;
  readonly notBlank?: boolean;
  /** Must come after that other column (times, dates). */
  readonly after?: string;
  /** Letters are folded to lower case before anything else. */
  readonly lowerCase?: boolean;
  /** The resource whose record it names by id. */
  readonly references?: string;
  /** Never changed by a caller, who may repeat it. */
  readonly readOnly?: boolean;
  /** Set by the server alone, on create as well. */
  readonly serverKept?: boolean;
  /** Kept beside the record for rules and constraints; callers neither see nor set it. */
  readonly internal?: boolean;
  /** Never leaves the service: events on the bus come without it. */
  readonly confidential?: boolean;
  readonly description?: string;
}

/** `Null` is whether a record may hold null there. */
export interface Column<T = unknown, Null extends boolean = boolean> extends ColumnRules {
  readonly kind: Kind<T>;
  readonly nullable: Null;
}

export type Columns = Readonly<Record<string, Column>>;

/** Never null: `required`, `requiredUnless` or a default says so. */
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
