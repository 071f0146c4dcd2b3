// The parts of a plan that writes of all methods have in common.

import { reject, type PracticeRole } from '@practice/core';
import { methodsOf, type Resource } from '@practice/resource';
import { negotiated } from '../parse/media.js';
import type { Preferences } from '../parse/preferences.js';
import { type Method, type ParsedRequest, QUERY } from '../parse/request.js';
import { appliedPreferences, checkStrictness } from './applied.js';
import type { PlanContext, Planning } from './context.js';
import { checkWriteExamines } from './examined.js';
import { firstOwn } from './node-options.js';
import { boundKeys, type BoundKeys } from './semi-join-keys.js';
import { seesAll } from './permission.js';
import { checkEmbeds, innerConditions, namesOf, planEmbeds } from './read-node.js';
import { planOrder } from './order.js';
import type { ReadPlan } from './read.js';
import type { PlannedCondition, PlannedEmbed, PlannedOrder, PlannedSelect } from './read-plan.js';
import { planSelect } from './select.js';

/** The written records as the response contains them. */
export interface Returning {
  readonly select: PlannedSelect;
  /** The caller's order; if empty, records come in the order in which they were written. */
  readonly order: readonly PlannedOrder[];
  /** Conditions on the records in the response: every `!inner` embed must return a record. */
  readonly where: readonly PlannedCondition[];
  /** Everything that the caller embeds. */
  readonly embeds: readonly PlannedEmbed[];
  /** Keys of other services' records; null if the response is about one service only. */
  readonly semiJoinKeys: BoundKeys | null;
}

/** The terms of a write of any method. */
export interface WriteTerms extends Pick<
  ReadPlan,
  'isCounted' | 'isVersioned' | 'timezone' | 'media' | 'applied'
> {
  readonly resource: Resource;
  readonly therapistId: string;
  /** The role of the caller. */
  readonly role: PracticeRole;
  /** Null: the response contains no records. */
  readonly returning: Returning | null;
  /** `Prefer: return=headers-only`: the response has a Location even for a record that existed before. */
  readonly isHeadersOnly: boolean;
  /** The response must contain exactly one row. */
  readonly isSingular: boolean;
  /** Bounds on the number of rows, if the caller sets any. */
  readonly maxAffected: number | null;
  readonly minAffected: number | null;
  /** A dry run: execute and respond as usual, then roll back. */
  readonly isDryRun: boolean;
}

/**
 * Checks that the resource has the needed method. An upsert that may change existing records needs PUT.
 * @throws {Rejection} PGRST117 for records that are written only once, or that callers cannot create
 */
export function checkMethod(resource: Resource, method: string, needed: Method): void {
  const methods = methodsOf(resource);
  if (methods.includes(needed)) return;
  reject('PGRST117', {
    message: `Unsupported HTTP method: ${method}`,
    details: whyNot(resource),
    headers: { Allow: ['OPTIONS', ...methods, QUERY].join() },
  });
}

/**
 * The records in the response; null for a response without records. Notes the same problems as a read.
 * @throws {Rejection} as a read; 42501 for a response that would examine confidential values
 */
export function planReturning(
  resource: Resource,
  { preferences, options: urlOptions }: ParsedRequest,
  planning: Planning,
): Returning | null {
  const options = { ...urlOptions, depth: 0 };
  if (preferences.return !== 'representation') {
    checkEmbeds(resource, options, planning);
    return null;
  }
  const { isAsStored, semiJoinKeys } = planning;
  const embeds = planEmbeds(resource, options, planning);
  const names = namesOf(resource, { options, embeds, planning });
  const select = planSelect(names, options.select, { embeds, isAsStored });
  const where = innerConditions(embeds);
  checkWriteExamines({ resource, select, where, embeds: names.embeds });
  return {
    select,
    order: planOrder(names, firstOwn(options.orders) ?? [], select),
    where,
    embeds: names.embeds,
    semiJoinKeys: semiJoinKeys === undefined ? null : boundKeys(names.embeds, semiJoinKeys),
  };
}

/** @throws {Rejection} PGRST122, PGRST107 */
export function planTerms(
  resource: Resource,
  { method, preferences, accept }: ParsedRequest,
  context: PlanContext,
): Omit<WriteTerms, 'returning'> {
  checkStrictness(preferences);
  const media = negotiated(accept);
  const isStrict = preferences.handling === 'strict' && isFiltered(method);
  return {
    resource,
    therapistId: context.therapistId,
    role: context.practiceRole,
    isVersioned: seesAll(resource, context.practiceRole),
    isHeadersOnly: preferences.return === 'headers-only',
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

/** Whether the URL, not the body, names the records that are written. */
export const isFiltered = (method: string): boolean => method === 'PATCH' || method === 'DELETE';

const effectsOf = (method: string, { return: returns }: Preferences) => ({
  resolution: method === 'POST',
  missing: method === 'POST' || method === 'PATCH',
  returns: returns !== null,
  affected: isFiltered(method),
});

function whyNot(resource: Resource): string {
  const { name, changeOnly, readOnly } = resource;
  if (readOnly === true) return `${name} is read-only.`;
  if (changeOnly === true) return `A practice has one record of ${name}.`;
  return `Records of ${name} are written once.`;
}
