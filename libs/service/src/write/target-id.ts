import type { DeletePlan, UpdatePlan } from '@practice/query';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the record that a change is about if `id=eq.…` is its only filter; null for any other filter. */
export function targetId(plan: UpdatePlan | DeletePlan): string | null {
  const [filter, ...others] = plan.where;
  if (filter?.kind !== 'filter' || others.length > 0 || filter.negated) return null;
  const { field, operator, operand } = filter;
  if (field.column.name !== 'id' || field.path.length > 0 || operator.name !== 'eq') return null;
  if (plan.kind === 'update' && Object.keys(plan.changes).length === 0) return null;
  const id = operand.kind === 'value' ? operand.text.toLowerCase() : '';
  return UUID.test(id) ? id : null;
}
