// What writes of every method have in common.

import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import { negotiated } from '../parse/media.js';
import type { Media } from '../parse/media.js';
import type { Preferences } from '../parse/preferences.js';
import type { ParsedRequest } from '../parse/request.js';
import { appliedPreferences } from './applied.js';
import type { PlanContext } from './context.js';
import { boundKeys } from './semi-join-keys.js';
import type { BoundKeys } from './semi-join-keys.js';
import { checkEmbeds, innerConditions, ownOf, planEmbeds } from './read-node.js';
import { planOrder } from './order.js';
import type { PlannedCondition, PlannedEmbed, PlannedOrder, PlannedSelect } from './read-plan.js';
import { planSelect } from './select.js';
import { checkStrictness } from './strictness.js';

/** What is answered of the written records. */
export interface Returning {
  readonly select: PlannedSelect;
  /** As the caller asked; empty leaves the order to the ids that were written. */
  readonly order: readonly PlannedOrder[];
  /** Which of the written records: those with what is embedded by `!inner`. */
  readonly where: readonly PlannedCondition[];
  /** What the caller embeds. */
  readonly embeds: readonly PlannedEmbed[];
  /** What is known of other services' records; null where only one service's are answered. */
  readonly semiJoinKeys: BoundKeys | null;
}

/** What every write has, whatever its method. */
export interface WriteTerms {
  readonly resource: Resource;
  readonly therapistId: string;
  /** Null: the caller wants no records back. */
  readonly returning: Returning | null;
  readonly media: Media;
  /** Exactly one row must be affected. */
  readonly isSingular: boolean;
  /** Bounds on the rows affected, where the caller set them. */
  readonly maxAffected: number | null;
  readonly minAffected: number | null;
  /** A dry run: do everything, answer as if, keep nothing. */
  readonly isDryRun: boolean;
  readonly isCounted: boolean;
  /** The zone that timestamps are read and fetched in; null for UTC. */
  readonly timezone: string | null;
  /** The value of Preference-Applied. */
  readonly applied: string | null;
}

/**
 * Checks that records may be changed.
 * @throws {Rejection} PGRST117 where they are written once
 */
export function checkChangeable({ appendOnly, name }: Resource, method: string): void {
  if (appendOnly !== true) return;
  reject({
    status: 405,
    code: 'PGRST117',
    message: `Unsupported HTTP method: ${method}`,
    details: `Records of ${name} are written once.`,
    headers: { Allow: 'OPTIONS,GET,HEAD,POST' },
  });
}

/**
 * What the caller wants back.
 * @throws {Rejection} as a read of it
 */
export function planReturning(
  resource: Resource,
  { preferences, options }: ParsedRequest,
  context: PlanContext,
): Returning | null {
  if (preferences.return !== 'representation') {
    checkEmbeds(resource, options, context.catalog);
    return null;
  }
  const zoned = { ...context, timezone: preferences.timezone };
  const embeds = planEmbeds(resource, options, zoned);
  const select = planSelect(resource, options.select, { embeds, timezone: zoned.timezone });
  const names = { resource, embeds: [...embeds.values()] };
  const order = planOrder(names, ownOf(options.orders) ?? [], select);
  const semiJoinKeys =
    context.semiJoinKeys === undefined ? null : boundKeys(names.embeds, context.semiJoinKeys);
  return { select, order, where: innerConditions(embeds), embeds: names.embeds, semiJoinKeys };
}

export type Terms = Omit<WriteTerms, 'returning'>;

/** @throws {Rejection} PGRST122, PGRST107 */
export function planTerms(
  resource: Resource,
  { method, preferences, accept }: ParsedRequest,
  context: PlanContext,
): Terms {
  checkStrictness(preferences);
  const media = negotiated(accept);
  const isStrict = preferences.handling === 'strict' && isFiltered(method);
  return {
    resource,
    therapistId: context.therapistId,
    media,
    isSingular: media.shape === 'object',
    maxAffected: isStrict ? preferences.maxAffected : null,
    minAffected: isStrict ? preferences.minAffected : null,
    isDryRun: preferences.tx === 'rollback',
    isCounted: preferences.count !== null,
    timezone: preferences.timezone,
    applied: appliedPreferences(preferences, effectsOf(method, preferences)),
  };
}

/** Whether the URL, not the body, says which records are written. */
const isFiltered = (method: string): boolean => method === 'PATCH' || method === 'DELETE';

const effectsOf = (method: string, { return: returns }: Preferences) => ({
  resolution: method === 'POST',
  missing: method === 'POST' || method === 'PATCH',
  returns: returns !== null,
  affected: isFiltered(method),
});
