import { isUuid } from '@practice/core';
import { changesNothing, requiredId, type DeletePlan, type UpdatePlan } from '@practice/query';

/** The id of the record that a change is about if `id=eq.…` is its only filter; null for any other filter. */
export function targetId(plan: UpdatePlan | DeletePlan): string | null {
  // A record that exists from the start may not be stored yet, so it cannot be looked up.
  if (plan.resource.fromStart === true) return null;
  const [filter, ...others] = plan.where;
  if (filter === undefined || others.length > 0 || changesNothing(plan)) return null;
  // Postgres refuses text that is no id, with the error that callers expect.
  const id = requiredId(filter)?.toLowerCase();
  return isUuid(id) ? id : null;
}
