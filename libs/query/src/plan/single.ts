import { requiredValue } from '../parse/filter.js';
import type { PlannedCondition, PlannedSelect } from './read-plan.js';

/** Whether the conditions name one record by its id, whatever else they require. */
export const namesOneRecord = (where: readonly PlannedCondition[]): boolean =>
  where.some(
    (condition) =>
      condition.kind === 'filter' &&
      condition.field.column.name === 'id' &&
      condition.field.path.length === 0 &&
      requiredValue({ ...condition, operator: condition.operator.name }) !== null,
  );

/** Whether the version of one record identifies the response: related records change without changing that version. */
export const isOfOneVersion = ({ isGrouped, items }: PlannedSelect): boolean =>
  !isGrouped && items.every(({ kind }) => kind === 'value');
