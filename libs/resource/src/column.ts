import type { Among } from './among.js';
import type { Format } from './formats.js';
import type { Kind, Value } from './kind.js';
import { bigint, boolean, decimal, integer, text, uuid } from './kinds.js';
import { date, dates, timeOfDay, timestamp } from './time-kinds.js';
import { json } from './json-kind.js';
import { texts } from './texts-kind.js';
import type { Needs } from './where.js';

/** The rules of a column beside its kind. Plain data without functions, so that everything can be derived from it. */
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
  /** The state in which that record takes others. */
  readonly needs?: Needs;
  /** Columns that the record has in common with the one that it refers to: a new record takes their values from it. */
  readonly shares?: readonly string[];
  /**
   * Another service's records among which one must have this value when it is set. Unlike `references`, it need not hold
   * later, so those records can change and be deleted.
   */
  readonly among?: Among;
  /** A new record has the user id of its caller there. Only owners may name another one, among these. */
  readonly caller?: { readonly ownersChoose?: Among };
  /** Callers cannot change it, but may repeat its value. */
  readonly readOnly?: boolean;
  /** Set on create and not changed later. Callers may repeat its value. */
  readonly fixed?: true;
  /** Set by the server, on create as well. */
  readonly serverKept?: boolean;
  /** The decider computes it, with each event of the record. Callers may repeat its value; the decider rejects another one. */
  readonly computed?: true;
  /** The sum of these columns; one with a minus is taken away. Amounts are computed with two decimals, half to even. */
  readonly sumOf?: readonly string[];
  readonly productOf?: readonly [string, string];
  /** A share of an amount: the columns with the amount and with the percent. */
  readonly percentOf?: readonly [string, string];
  /**
   * Where the value comes from if the caller leaves it out: `service_id.price` is the price of the record that `service_id` names. The
   * first one that has a value counts. A read-only value is taken again when another record is named.
   */
  readonly copies?: readonly string[];
  /** For rules and constraints only; callers cannot see or set it. */
  readonly internal?: boolean;
  /** Does not leave the service: events on the bus omit it. */
  readonly confidential?: boolean;
  /**
   * The value is no part of the record: reads take it from the column of this name in this table of the service, which has a row for
   * the record's practice and id. The read table, events, history and past states have null.
   */
  readonly beside?: string;
  /** Only the response to the write that made the value shows it, see `showOneTimeSecrets`. Everything else has null. */
  readonly isOneTimeSecret?: boolean;
  /** The value says something about a client, whose id is in the column `of`. The log stores it sealed, so that it can be erased. */
  readonly personal?: { readonly of: string };
  readonly description?: string;
}

/** `Null` is whether a record may hold null there. */
export interface Column<T = unknown, Null extends boolean = boolean> extends ColumnRules {
  readonly kind: Kind<T>;
  readonly nullable: Null;
}

/** Whether the value is no part of the record: stored records have null. */
export const isDetached = ({ beside, isOneTimeSecret }: ColumnRules): boolean =>
  beside !== undefined || isOneTimeSecret === true;

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

/** The column kinds as a definition spells them: `column.text({ required: true })`. */
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
  money: of(decimal(10, 2)),
  decimal: (precision: number, scale: number): Define<string> => of(decimal(precision, scale)),
} as const;
