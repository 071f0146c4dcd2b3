import type { Resource } from '@practice/resource';
import { negotiated } from '../parse/media.js';
import type { Media } from '../parse/media.js';
import { noPreferences } from '../parse/preferences.js';
import type { Parameter } from '../parse/query-string.js';
import type { ParsedRequest } from '../parse/request.js';
import { appliedPreferences } from './applied.js';
import type { PlannedCondition } from './condition.js';
import { resourceOf } from './context.js';
import type { PlanContext } from './context.js';
import { planTotalOrder } from './order.js';
import type { PlannedOrder } from './order.js';
import { checkAddresses, checkStrictness, planWhere } from './request.js';
import { planSelect } from './select.js';
import type { PlannedSelect } from './select.js';

/** A read whose every name is resolved. */
export interface ReadPlan {
  readonly kind: 'read';
  readonly resource: Resource;
  readonly therapistId: string;
  readonly select: PlannedSelect;
  /** All of them must hold. */
  readonly where: readonly PlannedCondition[];
  /** Total: it ends in the primary key. */
  readonly order: readonly PlannedOrder[];
  readonly offset: number;
  /** Rows at most, `maxRows` included. */
  readonly limit: number;
  /** Whether the caller asked for more rows than one read answers. */
  readonly isCapped: boolean;
  readonly isCounted: boolean;
  readonly media: Media;
  /** False for HEAD. */
  readonly hasBody: boolean;
  readonly parameters: readonly Parameter[];
  /** The value of Preference-Applied. */
  readonly applied: string | null;
}

/**
 * Plans a GET or HEAD.
 * @throws {Rejection} PGRST205, PGRST200, PGRST108, 42501, 42703, 42883, 42804, 42704, PGRST127, PGRST107, PGRST122
 */
export function planRead(parsed: ParsedRequest, context: PlanContext): ReadPlan {
  const { wishes, range, preferences } = parsed;
  const resource = resourceOf(context, parsed.resource);
  const select = planSelect(resource, wishes.select, context);
  checkAddresses(wishes);
  const where = planWhere(resource, parsed, context);
  const order = planTotalOrder(resource, wishes.orders);
  const media = negotiated(parsed.accept);
  checkStrictness(preferences);
  const isCapped = range.limit === null || range.limit > context.maxRows;
  return {
    kind: 'read',
    resource,
    therapistId: context.therapistId,
    select,
    where,
    order,
    offset: range.offset,
    limit: isCapped ? context.maxRows : (range.limit ?? context.maxRows),
    isCapped,
    isCounted: preferences.count !== null,
    media,
    hasBody: parsed.method === 'GET',
    parameters: parsed.parameters,
    applied: preferences === noPreferences ? null : appliedPreferences(preferences, {}),
  };
}
