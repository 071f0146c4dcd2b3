import type { OrderKey, PlannedOrder } from '../plan/read-plan.js';
import { fieldText } from '../plan/semi-join-keys.js';
import { columnSql, fieldSql } from './field.js';
import { relatedSql } from './related.js';
import { bind } from './scope.js';
import type { Scope } from './scope.js';

/** The ORDER BY clause, with a space before it; nothing where there is no order. */
export const orderSql = (order: readonly PlannedOrder[], scope: Scope): string =>
  order.length === 0 ? '' : ` ORDER BY ${termsSql(order, scope)}`;

/** What stands behind ORDER BY. */
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

/** The place of the related record's value among all such values; null where there is none. */
function rankSql({ embed, field }: Extract<OrderKey, { kind: 'related' }>, scope: Scope): string {
  const positions = scope.semiJoinKeys?.ranks.get(embed)?.get(fieldText(field));
  if (positions === undefined) throw new Error(`it is not known how records of ${embed.key} are ordered`);
  return `(${bind(scope, positions)}::jsonb ->> ${columnSql(embed.relation.here, scope)}::text)::integer`;
}

const directionSql = ({ descending, nulls }: PlannedOrder): string =>
  (descending ? ' DESC' : '') + (nulls === null ? '' : nulls === 'first' ? ' NULLS FIRST' : ' NULLS LAST');
