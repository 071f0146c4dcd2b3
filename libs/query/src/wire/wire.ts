// A parsed request as it travels between processes: plain JSON, without the members that are at their default.
// The rows of a body travel separately, see `rows.ts`. Any change here needs a new version of the frame in libs/messaging.

import { operators } from '../operators.js';
import type { Operator } from '../operators.js';
import type { BodyRow } from '../parse/body.js';
import type { Filter } from '../parse/filter.js';
import type { Condition, Tree } from '../parse/logic.js';
import { noPreferences } from '../parse/preferences.js';
import type { Preferences } from '../parse/preferences.js';
import { noOptions } from '../parse/query-options.js';
import type { Addressed, QueryOptions } from '../parse/query-options.js';
import { everyRow } from '../parse/range.js';
import type { RowRange } from '../parse/range.js';
import type { Method, ParsedRequest } from '../parse/request.js';
import type { Subquery } from '../plan/subplan.js';

export interface WireRequest {
  readonly method: Method;
  readonly resource: string;
  readonly canonicalQuery?: string;
  readonly options?: WireOptions;
  readonly range?: RowRange;
  readonly preferences?: Partial<Preferences>;
  readonly accept?: string | undefined;
}

/** The options of a query; conditions refer to operators by name. */
export type WireOptions = Partial<Omit<QueryOptions, 'conditions'>> & {
  readonly conditions?: readonly Addressed<WireCondition>[];
};

type WireCondition =
  | (Omit<Filter, 'operator'> & { readonly operator: string })
  | (Omit<Tree, 'members'> & { readonly members: readonly WireCondition[] });

/** The request without its rows, ready for JSON. */
export function toWire(request: ParsedRequest): WireRequest {
  const { method, resource, canonicalQuery, options, range, preferences, accept } = request;
  return {
    method,
    resource,
    ...(canonicalQuery !== '' && { canonicalQuery }),
    ...(options !== noOptions && { options: optionsToWire(options) }),
    ...(range !== everyRow && { range }),
    ...(preferences !== noPreferences && { preferences: changed(preferences, noPreferences) }),
    ...(accept !== undefined && { accept }),
  };
}

/** The request that `toWire` was called with. */
export function fromWire(wire: WireRequest, rows: readonly BodyRow[]): ParsedRequest {
  const { method, resource, canonicalQuery = '', options, range = everyRow, preferences, accept } = wire;
  return {
    method,
    resource,
    canonicalQuery,
    options: options === undefined ? noOptions : optionsFromWire(options),
    range,
    preferences: preferences === undefined ? noPreferences : { ...noPreferences, ...preferences },
    accept,
    rows,
  };
}

/** A subquery, ready for JSON. */
export type WireSubquery = Omit<Subquery, 'options'> & { readonly options: WireOptions };

export const subqueryToWire = (subquery: Subquery): WireSubquery => ({
  ...subquery,
  options: optionsToWire(subquery.options),
});

export const subqueryFromWire = (wire: WireSubquery): Subquery => ({
  ...wire,
  options: optionsFromWire(wire.options),
});

function optionsToWire(options: QueryOptions): WireOptions {
  const { conditions, ...others } = options;
  return {
    ...changed(others, noOptions),
    ...(conditions.length > 0 && { conditions: conditions.map(conditionToWire) }),
  };
}

function optionsFromWire({ conditions, ...others }: WireOptions): QueryOptions {
  return {
    ...noOptions,
    ...others,
    ...(conditions !== undefined && { conditions: conditions.map(conditionFromWire) }),
  };
}

const conditionToWire = ({ embed, value }: Addressed<Condition>): Addressed<WireCondition> => ({
  embed,
  value: named(value),
});

const conditionFromWire = ({ embed, value }: Addressed<WireCondition>): Addressed<Condition> => ({
  embed,
  value: resolved(value),
});

const named = (condition: Condition): WireCondition =>
  condition.kind === 'tree'
    ? { ...condition, members: condition.members.map(named) }
    : { ...condition, operator: condition.operator.name };

const resolved = (condition: WireCondition): Condition =>
  condition.kind === 'tree'
    ? { ...condition, members: condition.members.map(resolved) }
    : { ...condition, operator: operatorOf(condition.operator) };

function operatorOf(name: string): Operator {
  const operator = operators.get(name);
  if (operator === undefined) throw new Error(`there is no operator "${name}"`);
  return operator;
}

/** The members that differ from a default; an empty list counts as the default. */
function changed<T extends object>(value: T, defaults: T): Partial<T> {
  const members: Partial<T> = {};
  for (const name in value) {
    const member = value[name];
    if (member === defaults[name] || (Array.isArray(member) && member.length === 0)) continue;
    members[name] = member;
  }
  return members;
}
