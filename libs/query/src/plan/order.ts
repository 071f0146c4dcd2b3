import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import type { OrderTerm } from '../parse/order.js';
import type { Addressed, Wishes } from '../parse/url.js';
import { planField } from './columns.js';
import type { PlannedField } from './columns.js';
import { notEmbedded } from './problems.js';

export interface PlannedOrder {
  readonly field: PlannedField;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last' | null;
}

/**
 * The order that the caller wants, by the first `order` of the resource.
 * @throws {Rejection} 42703, PGRST108
 */
export function planOrder(resource: Resource, orders: Wishes['orders']): readonly PlannedOrder[] {
  return rootOrder(orders).map(({ field, relation, descending, nulls }) =>
    relation === null
      ? { field: planField(resource, field), descending, nulls }
      : reject(notEmbedded(relation)),
  );
}

/**
 * As `planOrder`, with the primary key behind it unless it is in it: pages then neither skip nor repeat a row.
 * @throws {Rejection} as `planOrder`
 */
export function planTotalOrder(resource: Resource, orders: Wishes['orders']): readonly PlannedOrder[] {
  const order = planOrder(resource, orders);
  if (order.some(({ field }) => field.column.name === 'id' && field.path.length === 0)) return order;
  return [...order, { field: planField(resource, { name: 'id', path: [] }), descending: false, nulls: null }];
}

const rootOrder = (orders: readonly Addressed<readonly OrderTerm[]>[]): readonly OrderTerm[] =>
  orders.find(({ embed }) => embed.length === 0)?.value ?? [];
