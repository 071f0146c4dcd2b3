import type { PlannedOrder } from '../plan/order.js';
import { fieldSql } from './field.js';

/** What stands behind ORDER BY. */
export const orderSql = (order: readonly PlannedOrder[], values: string[]): string =>
  order.map((term) => fieldSql(term.field, values) + directionSql(term)).join(', ');

const directionSql = ({ descending, nulls }: PlannedOrder): string =>
  (descending ? ' DESC' : '') + (nulls === null ? '' : nulls === 'first' ? ' NULLS FIRST' : ' NULLS LAST');
