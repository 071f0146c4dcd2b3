import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import { isKeywords } from '../operators.js';
import type { Filter, Operand } from '../parse/filter.js';
import type { Condition } from '../parse/logic.js';
import { planField } from './columns.js';
import type { FieldType, PlannedCondition, PlannedEmbed, PlannedFilter } from './read-plan.js';
import { noSuchOperator, notSearchable } from './problems.js';

/** What a condition may speak of: columns of the resource, and the relations embedded in it by their keys. */
export interface Names {
  readonly resource: Resource;
  readonly embeds: readonly PlannedEmbed[];
}

/** @throws {Rejection} 42703 for an unknown column, 42883 and 42804 for an operator that its type does not have */
export function planCondition(names: Names, condition: Condition): PlannedCondition {
  if (condition.kind === 'tree') {
    return { ...condition, members: condition.members.map((member) => planCondition(names, member)) };
  }
  const embed = names.embeds.find(({ key }) => key === condition.field.name);
  const existence = embed === undefined ? null : planExistence(embed, condition);
  return existence ?? planFilter(names.resource, condition);
}

/** `relation=is.null` and `relation=not.is.null` ask for related records; any other test is one on a column. */
function planExistence(embed: PlannedEmbed, { operand, negated }: Filter): PlannedCondition | null {
  if (operand.kind !== 'keyword') return null;
  if (operand.keyword === 'null') return { kind: 'existence', negated: !negated, embed };
  return operand.keyword === 'not_null' ? { kind: 'existence', negated, embed } : null;
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
function checkFamily({ operator, operand }: Filter, { sqlType, families }: FieldType): void {
  if (operator.family === 'any' || (families as readonly string[]).includes(operator.family)) return;
  reject(
    operand.kind === 'search'
      ? notSearchable(sqlType, operand.config)
      : noSuchOperator(sqlType, operator.sql),
  );
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
