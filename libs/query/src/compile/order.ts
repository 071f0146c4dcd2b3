import type { OrderKey, PlannedOrder } from '../plan/planned.js';
import { fieldSql, joinSql, tableSql } from './field.js';
import { innerScope } from './statement.js';
import type { Scope } from './statement.js';

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
    case 'related': {
      const inner = innerScope(scope);
      const from = `FROM ${tableSql(by.embed.level.resource, inner)} WHERE ${joinSql(by.embed, scope, inner)}`;
      return `(SELECT ${fieldSql(by.field, inner)} ${from})`;
    }
  }
}

const directionSql = ({ descending, nulls }: PlannedOrder): string =>
  (descending ? ' DESC' : '') + (nulls === null ? '' : nulls === 'first' ? ' NULLS FIRST' : ' NULLS LAST');
