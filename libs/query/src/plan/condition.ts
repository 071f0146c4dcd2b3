import { problemFor } from '@practice/core';
import { hasOperator, isKeywords, operators, type Operand, type Operator } from '../operators.js';
import type { Filter } from '../parse/filter.js';
import type { Condition } from '../parse/logic.js';
import { planField, type Table } from './columns.js';
import { DatabaseProblems } from './context.js';
import type { Addressed } from '../parse/query-options.js';
import type { FieldType, PlannedCondition, PlannedEmbed, PlannedFilter } from './read-plan.js';
import { noSuchOperator, notSearchable } from './problems.js';

/** The names that a condition may use: the columns of a table, and the keys of the relations embedded in it. */
export interface Names extends Table {
  readonly embeds: readonly PlannedEmbed[];
}

/** Notes 42703 for an unknown column, and 42883 or 42804 for an operator that the column's type does not have. */
export function planCondition(names: Names, condition: Condition): PlannedCondition {
  if (condition.kind === 'tree') {
    return { ...condition, members: condition.members.map((member) => planCondition(names, member)) };
  }
  const embed = names.embeds.find(({ key }) => key === condition.field.name);
  const existence = embed === undefined ? null : planExistence(embed, condition);
  return existence ?? planFilter(names, condition);
}

/** The filters of a node that search for words and are not negated. Notes no problems: `planCondition` notes them. */
export function planSearches(
  names: Names,
  conditions: readonly Addressed<Condition>[],
): readonly PlannedFilter[] {
  const silent = { ...names, problems: new DatabaseProblems() };
  const own = conditions.flatMap(({ embed, value }) => (embed.length === 0 ? searchesIn(value) : []));
  return own.map((filter) => planFilter(silent, filter));
}

function searchesIn(condition: Condition): readonly Filter[] {
  if (condition.negated) return [];
  if (condition.kind === 'tree') return condition.members.flatMap(searchesIn);
  return condition.operator === 'sim' || condition.operand.kind === 'search' ? [condition] : [];
}

/** The condition of `relation=is.null` or `relation=not.is.null`; null for any other test, which applies to a column. */
function planExistence(embed: PlannedEmbed, { operand, negated }: Filter): PlannedCondition | null {
  if (operand.kind !== 'keyword') return null;
  if (operand.keyword === 'null') return { kind: 'existence', negated: !negated, embed };
  return operand.keyword === 'not_null' ? { kind: 'existence', negated, embed } : null;
}

function planFilter(table: Table, { field: named, operator: name, operand, negated }: Filter): PlannedFilter {
  const operator = operators.get(name);
  if (operator === undefined) throw new Error(`a parsed filter has the operator "${name}"`);
  const field = planField(table, named);
  const problem = problemOfFamily(operator, operand, field.type) ?? problemOfKeyword(operand, field.type);
  if (problem !== null) table.problems.note(problem);
  return { kind: 'filter', negated, operator, operand, field };
}

/** The problem of an operator that a type does not have. It is found here, so that Postgres does not prepare a statement that must fail. */
function problemOfFamily(operator: Operator, operand: Operand, type: FieldType) {
  if (hasOperator(type, operator)) return null;
  if (operand.kind === 'search') return notSearchable(type.sqlType, operand.config);
  return noSuchOperator(type.sqlType, operator.sql);
}

function problemOfKeyword(operand: Operand, { sqlType, families }: FieldType) {
  if (operand.kind !== 'keyword' || families.includes('boolean')) return null;
  const { needsBoolean, sql } = isKeywords[operand.keyword];
  return needsBoolean
    ? problemFor('42804', { message: `argument of IS ${sql} must be type boolean, not type ${sqlType}` })
    : null;
}
