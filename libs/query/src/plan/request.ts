// What plans of every method have in common.

import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import type { Preferences } from '../parse/preferences.js';
import type { ParsedRequest } from '../parse/request.js';
import type { Wishes } from '../parse/url.js';
import { planCondition } from './condition.js';
import type { PlannedCondition } from './condition.js';
import type { PlanContext } from './context.js';
import { checkPractice, isOwnPractice } from './practice.js';
import { notEmbedded } from './problems.js';

/** @throws {Rejection} PGRST108 for a parameter about a relation that is not embedded */
export function checkAddresses({ conditions, orders, limits, offsets, select }: Wishes): void {
  const embedded = select.flatMap((item) => (item.kind === 'embed' ? [item.alias ?? item.target] : []));
  for (const addressed of [conditions, orders, limits, offsets]) {
    for (const { embed } of addressed) {
      const [first] = embed;
      if (first !== undefined && !embedded.includes(first)) reject(notEmbedded(first));
    }
  }
}

/**
 * The conditions on the resource itself; that it is the caller's own practice is said by every statement and left out.
 * @throws {Rejection} 42501, 42703, 42883, 42804
 */
export function planWhere(
  resource: Resource,
  parsed: ParsedRequest,
  context: PlanContext,
): readonly PlannedCondition[] {
  const { conditions } = parsed.wishes;
  checkPractice(conditions, context.therapistId, resource.name);
  const where: PlannedCondition[] = [];
  for (const { embed, value } of conditions) {
    if (embed.length > 0 || (value.kind === 'filter' && isOwnPractice(value, context.therapistId))) continue;
    where.push(planCondition(resource, value));
  }
  return where;
}

/** @throws {Rejection} PGRST122 when the caller is strict and one of its preferences means nothing */
export function checkStrictness({ handling, unknown }: Preferences): void {
  if (handling !== 'strict' || unknown.length === 0) return;
  reject({
    status: 400,
    code: 'PGRST122',
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${unknown.join(', ').slice(0, 300)}`,
  });
}
