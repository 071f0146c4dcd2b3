import { requiredValue } from '../parse/filter.js';
import type { PlannedCondition, PlannedSelect } from './read-plan.js';

/** The id that a condition requires, as the caller wrote it; null for any condition but `id=eq.…`. */
export function requiredId(condition: PlannedCondition): string | null {
  if (condition.kind !== 'filter') return null;
  const { field, operator, operand, negated } = condition;
  if (field.column.name !== 'id' || field.path.length > 0) return null;
  return requiredValue({ operator: operator.name, operand, negated });
}

/** Whether the conditions name one record by its id. They may have further requirements. */
export const namesOneRecord = (where: readonly PlannedCondition[]): boolean =>
  where.some((condition) => requiredId(condition) !== null);

/** Whether the version of one record identifies the response: related records change without changing that version. */
export const isOfOneVersion = ({ isGrouped, items }: PlannedSelect): boolean =>
  !isGrouped && items.every(({ kind }) => kind === 'value');
