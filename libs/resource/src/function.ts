// A function is defined once, as data, like a resource. Routing, argument checks, OpenAPI, client types and docs are derived from it.

import { problemFor, reject, type PracticeRole, type Problem } from '@practice/core';
import type { Column, Columns } from './column.js';
import { entries, type Row, type RowOf } from './row.js';
import type { Resource } from './resource.js';
import { rulesOf } from './rules.js';
import { checkedValue, ruleMessage } from './validate.js';

/** The result of a function: nothing, one object, or any number of rows. */
export type Returns<Own extends Columns = Columns> =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'object' | 'rows'; readonly columns: Own };

/** The effect of a function. A function that reads can also be called with GET and HEAD. */
export type Effect = 'reads' | 'writes';

export interface FunctionDefinition<
  Args extends Columns = Columns,
  Result extends Returns = Returns,
  Does extends Effect = Effect,
> {
  /** The path below `/rest/v1/rpc/`: a verb or a noun, in snake_case. */
  readonly name: string;
  /** The service that owns the function, or the services that each execute a part of it. */
  readonly service: string | Parts;
  readonly description: string;
  /** An argument without `required` and `default` is null if the caller omits it. */
  readonly arguments: Args;
  /** The arguments in examples of the docs, if a call needs more than the required ones. */
  readonly example?: Readonly<Record<string, unknown>>;
  readonly returns: Result;
  /** The order of the rows, unless the caller names an order. If absent, rows have the order in which the function returns them. */
  readonly order?: { readonly column: string; readonly descending: boolean };
  readonly effect: Does;
  /** The roles that may call it. */
  readonly roles: readonly PracticeRole[];
  /** Only a signed-in session may call it: no personal access token, and no token of another issuer. */
  readonly needsSession?: true;
  /**
   * The caller must prove to be the owner of the account, by a recent sign-in or with the arguments `recentProof`. With `unless aal2`, a
   * session with a second factor is enough. Only for a function that writes.
   */
  readonly needsProof?: 'always' | 'unless aal2';
  /** A personal access token with any scopes may call it, since it shows only the token itself. */
  readonly needsNoScope?: true;
  /** The response is 202, since the work continues after the response. */
  readonly isAccepted?: true;
  /** `allowed`: a closed practice accepts the function, although it writes. Only for functions about access, export or erasure. */
  readonly whenClosed?: 'allowed';
  /**
   * The gateway continues the work after the response. It sends a secret with the call, by which the owner and the gateway identify the
   * work. Only for a function of one service that writes.
   */
  readonly inBackground?: true;
  /** The gateway executes the function with its own messages to the services, which do not know the function. */
  readonly isCoordinated?: true;
}

/**
 * Several services that execute a function, each for its own records. A call that reads returns the rows of all parts, or fails. Each
 * part of a call that writes is atomic. The function returns rows.
 */
export interface Parts {
  readonly services: readonly string[];
  /**
   * The services that a call concerns.
   * @param given argument → JSON value, unchecked
   * @throws {Rejection} if the arguments concern no service
   */
  concerned(given: Readonly<Record<string, unknown>>): readonly string[];
  /** Combines the rows of all parts of a call that reads; if absent, the result has all rows. @param given the checked arguments */
  combined?(rows: readonly Row[], given: Row): readonly Row[];
}

/** The services that execute a function. */
export const servicesOf = ({ service }: Pick<FunctionDefinition, 'service'>): readonly string[] =>
  typeof service === 'string' ? [service] : service.services;

/** The checked arguments of a call. */
export type ArgumentsOf<F> = F extends { readonly arguments: infer Args }
  ? RowOf<{ readonly columns: Args }>
  : never;

/** The value that the handler of a function returns. */
export type ResultOf<F> = F extends { readonly returns: infer Result }
  ? Result extends { readonly kind: 'object'; readonly columns: infer Own }
    ? RowOf<{ readonly columns: Own }>
    : Result extends { readonly kind: 'rows'; readonly columns: infer Own }
      ? readonly RowOf<{ readonly columns: Own }>[]
      : void
  : never;

/** The kinds of result, as a definition uses them: `returns.rows({ … })`. */
export const returns = {
  nothing: { kind: 'nothing' },
  object: <const Own extends Columns>(columns: Own) => ({ kind: 'object', columns }) as const,
  rows: <const Own extends Columns>(columns: Own) => ({ kind: 'rows', columns }) as const,
  /** The id of a record, and the columns that an event of this type changes. */
  event: <D extends Pick<Resource, 'columns' | 'events'>, const Type extends keyof D['events'] & string>(
    { columns, events }: D,
    type: Type,
  ) => {
    const names = ['id', ...(events[type] as readonly string[])];
    return {
      kind: 'object',
      columns: Object.fromEntries(names.map((name) => [name, columns[name]])) as EventColumns<D, Type>,
    } as const;
  },
} as const;

type EventColumns<D extends Pick<Resource, 'columns' | 'events'>, Type extends keyof D['events']> = Pick<
  D['columns'],
  'id' | (D['events'][Type] extends readonly (infer Held)[] ? Held & keyof D['columns'] : never)
>;

/** Defines a function. */
export const defineFunction = <
  const Args extends Columns,
  const Result extends Returns,
  const Does extends Effect,
>(
  definition: FunctionDefinition<Args, Result, Does>,
): FunctionDefinition<Args, Result, Does> => definition;

/** Whether a call must include the argument. */
export const isRequired = ({ nullable, default: preset }: Column): boolean =>
  !nullable && preset === undefined;

/** The arguments that a URL can contain. In a URL, `limit` is the maximum number of rows, and not an argument. */
export const argumentsInUrl = ({ arguments: given }: Pick<FunctionDefinition, 'arguments'>) =>
  entries(given).filter(([name]) => name !== 'limit');

/** The columns of a result; none if the function returns nothing. */
export const resultColumns = ({ returns: result }: FunctionDefinition): Columns =>
  result.kind === 'nothing' ? {} : result.columns;

/** The result of a function as a resource, for the code that filters, orders and selects columns. */
export const resultResource = (definition: FunctionDefinition): Resource =>
  ({
    ...{ name: definition.name, service: '', description: definition.description },
    ...{ aggregate: definition.name, columns: resultColumns(definition), events: {}, versions: {} },
  }) as unknown as Resource;

/**
 * The arguments of a call, each in its kind's canonical form, with every default filled in.
 * @param given argument → JSON value or text; names that the function does not have must have been refused before
 * @throws {Rejection} 22P02 and similar for a malformed value, 22004 for a null, 22023 for a broken rule
 */
export function checkedArguments(
  { arguments: columns }: FunctionDefinition,
  given: Readonly<Record<string, unknown>>,
): Row {
  const row: Row = Object.fromEntries(
    entries(columns).map(([name, column]) => [
      name,
      given[name] === undefined ? (column.default ?? null) : checkedValue(name, column, given[name]),
    ]),
  );
  for (const [name, column] of entries(columns)) checkArgument(name, column, row);
  return row;
}

function checkArgument(name: string, column: Column, row: Row): void {
  const value = row[name] ?? null;
  if (value === null) return column.nullable ? undefined : reject(nullArgument(name));
  const broken = rulesOf(column).find((rule) => !rule.holds(value, row));
  if (broken !== undefined)
    reject('22023', {
      message: ruleMessage(name, column, { rule: broken, value }),
      details: `${name} ${broken.says}.`,
    });
}

const nullArgument = (name: string): Problem =>
  problemFor('22004', { message: `argument "${name}" must not be null` });
