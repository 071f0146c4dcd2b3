import type { OrderKey, PlannedOrder } from '../plan/read-plan.js';
import { fieldText } from '../plan/semi-join-keys.js';
import { columnSql, fieldSql } from './field.js';
import { relatedSql } from './related.js';
import { bind, type Scope } from './scope.js';

/** The ORDER BY clause, with a space before it; empty without an order. */
export const orderSql = (order: readonly PlannedOrder[], scope: Scope): string =>
  order.length === 0 ? '' : ` ORDER BY ${termsSql(order, scope)}`;

/** The terms of ORDER BY. */
export const termsSql = (order: readonly PlannedOrder[], scope: Scope): string =>
  order.map((term) => keySql(term.by, scope) + directionSql(term)).join(', ');

function keySql(by: OrderKey, scope: Scope): string {
  switch (by.kind) {
    case 'field':
      return fieldSql(by.field, scope);
    case 'member':
      return String(by.position);
    case 'related':
      return by.embed.isCrossService ? rankSql(by, scope) : relatedSql([by.embed], by.field, scope);
  }
}

/** The position of the related record's value among all values of that field; null without a record. */
function rankSql({ embed, field }: Extract<OrderKey, { kind: 'related' }>, scope: Scope): string {
  const positions = scope.semiJoinKeys?.ranks.get(embed)?.get(fieldText(field));
  if (positions === undefined) throw new Error(`the order of ${embed.key} was not fetched`);
  return `(${bind(scope, positions)}::jsonb ->> ${columnSql(embed.relation.here, scope)}::text)::integer`;
}

/** The direction of a term, with a space before it; empty for the default. */
export const directionSql = ({ descending, nulls }: PlannedOrder): string =>
  (descending ? ' DESC' : '') + (nulls === null ? '' : nulls === 'first' ? ' NULLS FIRST' : ' NULLS LAST');
