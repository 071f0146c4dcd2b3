import type { PlannedCondition, PlannedSelect } from './read-plan.js';

/** Whether conditions name one record by its id, whatever else they ask of it. */
export const namesOneRecord = (where: readonly PlannedCondition[]): boolean =>
  where.some(
    (condition) =>
      condition.kind === 'filter' &&
      !condition.negated &&
      condition.operator.name === 'eq' &&
      condition.operand.kind === 'value' &&
      condition.field.path.length === 0 &&
      condition.field.column.name === 'id',
  );

/** Whether an answer is fetched apart by the record's version alone: related records change without it. */
export const isOfOneVersion = ({ isGrouped, items }: PlannedSelect): boolean =>
  !isGrouped && items.every(({ kind }) => kind === 'value');
