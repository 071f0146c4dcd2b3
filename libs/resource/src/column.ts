import type { Among } from './among.js';
import type { Format } from './formats.js';
import type { Kind, Value } from './kind.js';
import { bigint, boolean, decimal, integer, text, uuid, texts } from './kinds.js';
import { date, dates, timeOfDay, timestamp } from './time-kinds.js';
import { json, jsonArray } from './json-kind.js';
import type { Needs } from './where.js';

/** The rules of a column in addition to its kind. They are plain data without functions, so that other code can be derived from them. */
export interface ColumnRules {
  /** Required on create. */
  readonly required?: boolean;
  /** Required on create unless one of these other columns is given; the decider then computes the value from it. */
  readonly requiredUnless?: string | readonly string[];
  /** The value if a create omits the column. */
  readonly default?: Value;
  readonly oneOf?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** A forbidden value. */
  readonly not?: number;
  /** Text: must be an e-mail address, the name of a time zone, a recurrence rule, a URL, or a code. */
  readonly format?: Format;
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
  /** The state that the record must have so that others may refer to it. */
  readonly needs?: Needs;
  /** Columns whose values equal the values of the record that this column refers to. A new record takes the values from it. */
  readonly shares?: readonly string[];
  /**
   * Records of another service. When the value is set, one of them must have it. Unlike `references`, this is not guaranteed
   * later, so these records can be changed and deleted.
   */
  readonly among?: Among;
  /** A new record has the user id of its caller in this column. Only owners may name another user, who must be one of `ownersChoose`. */
  readonly caller?: { readonly ownersChoose?: Among };
  /** Callers cannot change the value, but may repeat it. */
  readonly readOnly?: boolean;
  /** Set on create and not changed later. Callers may repeat its value. */
  readonly fixed?: true;
  /** Set by the server, on create as well. */
  readonly serverKept?: boolean;
  /** The decider computes the value with each event of the record. Callers may repeat the value; the decider rejects any other. */
  readonly computed?: true;
  /** The sum of these columns; a column with a minus is subtracted. Amounts have two decimals, and a half is rounded to even. */
  readonly sumOf?: readonly string[];
  readonly productOf?: readonly [string, string];
  /** A share of an amount: the columns with the amount and with the percent. */
  readonly percentOf?: readonly [string, string];
  /**
   * The sources of the value if the caller omits it: `service_id.price` is the price of the record that `service_id` names. The first
   * source with a value is used. A read-only value is copied again when the reference changes.
   */
  readonly copies?: readonly string[];
  /** The column is only for rules and constraints. Callers cannot see or set it. */
  readonly internal?: boolean;
  /** The value does not leave the service: events on the bus omit it. */
  readonly confidential?: boolean;
  /**
   * The value is not part of the record. Reads take it from the column with the same name in this table of the service, in the row with
   * the practice and id of the record. The read table, events, history and past states have null.
   */
  readonly beside?: string;
  /** Only the response to the write that created the value shows it, see `showOneTimeSecrets`. Everything else has null. */
  readonly isOneTimeSecret?: boolean;
  /** The value is about a client, whose id is in the column `of`. The log stores the value sealed, so that it can be erased. */
  readonly personal?: { readonly of: string };
  readonly description?: string;
}

/** A column of a definition. `Null` states whether the column may be null. */
export interface Column<T = unknown, Null extends boolean = boolean> extends ColumnRules {
  readonly kind: Kind<T>;
  readonly nullable: Null;
}

/** Whether the value is not part of the record. Stored records have null in this column. */
export const isDetached = ({ beside, isOneTimeSecret }: ColumnRules): boolean =>
  beside !== undefined || isOneTimeSecret === true;

/** Whether an update may only repeat the value. */
export const isFixed = ({ fixed, readOnly, computed }: ColumnRules): boolean =>
  fixed === true || (readOnly === true && computed !== true);

export type Columns = Readonly<Record<string, Column>>;

/** The rules that make a column not null. */
type NotNull =
  | { readonly required: true }
  | { readonly requiredUnless: string | readonly string[] }
  | { readonly default: Exclude<Value, null> };

type NullOf<R> = R extends NotNull ? false : true;

/** The rules that the types of rows, commands and events depend on. */
type TypedRules<R> = Pick<R, Extract<keyof R, 'computed' | 'confidential' | 'internal' | 'requiredUnless'>>;

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

/** The column kinds, as a definition uses them: `column.text({ required: true })`. */
export const column = {
  uuid: of(uuid),
  text: of(text),
  texts: of(texts),
  integer: of(integer),
  bigint: of(bigint),
  boolean: of(boolean),
  date: of(date),
  dates: of(dates),
  timeOfDay: of(timeOfDay),
  timestamp: of(timestamp),
  json: of(json),
  jsonArray: of(jsonArray),
  money: of(decimal(10, 2)),
  decimal: (precision: number, scale: number): Define<string> => of(decimal(precision, scale)),
} as const;
