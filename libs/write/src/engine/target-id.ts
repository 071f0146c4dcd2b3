import { isUuid } from '@practice/core';
import type { DeletePlan, UpdatePlan } from '@practice/query';

type PlannedFilter = Extract<UpdatePlan['where'][number], { kind: 'filter' }>;

/** The id of the record that a change is about if `id=eq.…` is its only filter; null for any other filter. */
export function targetId(plan: UpdatePlan | DeletePlan): string | null {
  // A record that is there from the start is perhaps not stored, so it cannot be looked up.
  if (plan.resource.fromStart === true) return null;
  const [filter, ...others] = plan.where;
  if (filter?.kind !== 'filter' || others.length > 0 || changesNothing(plan)) return null;
  return isIdEquals(filter) ? idOf(filter) : null;
}

/** A PATCH without changes affects no record, whatever its filter. */
const changesNothing = (plan: UpdatePlan | DeletePlan): boolean =>
  plan.kind === 'update' && Object.keys(plan.changes).length === 0;

const isIdEquals = ({ field, operator, negated }: PlannedFilter): boolean =>
  !negated && field.column.name === 'id' && field.path.length === 0 && operator.name === 'eq';

/** Postgres refuses text that is no id, with the error that callers expect. */
function idOf({ operand }: PlannedFilter): string | null {
  const id = operand.kind === 'value' ? operand.text.toLowerCase() : '';
  return isUuid(id) ? id : null;
}
