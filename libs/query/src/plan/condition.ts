import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import { isKeywords } from '../operators.js';
import type { Filter, Operand, Test } from '../parse/filter.js';
import type { Condition } from '../parse/logic.js';
import { planField } from './columns.js';
import type { FieldType, PlannedField } from './columns.js';
import { noSuchOperator } from './problems.js';

/** A test on a column whose kind has the operator. */
export interface PlannedFilter extends Test {
  readonly kind: 'filter';
  readonly field: PlannedField;
}

export interface PlannedTree {
  readonly kind: 'tree';
  readonly negated: boolean;
  readonly operator: 'and' | 'or';
  readonly members: readonly PlannedCondition[];
}

export type PlannedCondition = PlannedFilter | PlannedTree;

/** @throws {Rejection} 42703 for an unknown column, 42883 and 42804 for an operator that its type does not have */
export function planCondition(resource: Resource, condition: Condition): PlannedCondition {
  if (condition.kind === 'filter') return planFilter(resource, condition);
  return { ...condition, members: condition.members.map((member) => planCondition(resource, member)) };
}

function planFilter(resource: Resource, filter: Filter): PlannedFilter {
  const field = planField(resource, filter.field);
  checkFamily(filter, field.type);
  checkKeyword(filter.operand, field.type);
  return {
    kind: 'filter',
    negated: filter.negated,
    operator: filter.operator,
    operand: filter.operand,
    field,
  };
}

/** Refused here rather than by Postgres, so that no statement is prepared that can only fail. */
function checkFamily({ operator: { family, sql, operand } }: Filter, { sqlType, families }: FieldType): void {
  if (family === 'any' || (families as readonly string[]).includes(family)) return;
  reject(noSuchOperator(sqlType, operand === 'search' ? '@@' : sql));
}

function checkKeyword(operand: Operand, { sqlType, families }: FieldType): void {
  if (operand.kind !== 'keyword' || families.includes('boolean')) return;
  const keyword = isKeywords.get(operand.keyword);
  if (keyword?.needsBoolean !== true) return;
  reject({
    status: 400,
    code: '42804',
    message: `argument of IS ${keyword.sql} must be type boolean, not type ${sqlType}`,
  });
}
