import type { PlannedOrder } from '../plan/order.js';
import { fieldSql } from './field.js';
import type { Scope } from './statement.js';

/** What stands behind ORDER BY. */
export const orderSql = (order: readonly PlannedOrder[], scope: Scope): string =>
  order.map((term) => fieldSql(term.field, scope) + directionSql(term)).join(', ');

const directionSql = ({ descending, nulls }: PlannedOrder): string =>
  (descending ? ' DESC' : '') + (nulls === null ? '' : nulls === 'first' ? ' NULLS FIRST' : ' NULLS LAST');
