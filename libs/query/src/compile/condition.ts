import { isKeywords } from '../operators.js';
import type { PlannedCondition, PlannedFilter } from '../plan/condition.js';
import type { ReadPlan } from '../plan/read.js';
import { fieldSql } from './field.js';
import { arrayLiteral, bind } from './statement.js';
import type { Scope } from './statement.js';

/** What limits a plan to some of a practice's rows. */
type Filtered = Pick<ReadPlan, 'therapistId' | 'where'>;

/** The practice's own rows that meet every condition; `$1` is the practice. */
export function whereSql({ therapistId, where }: Filtered, scope: Scope): string {
  const own = `${scope.table}.therapist_id = ${bind(scope, therapistId)}`;
  return where.reduce((sql, condition) => `${sql} AND ${conditionSql(condition, scope)}`, own);
}

/** A condition as SQL, values bound; it stands for itself between AND and OR. */
export function conditionSql(condition: PlannedCondition, scope: Scope): string {
  if (condition.kind === 'tree') {
    const members = condition.members.map((member) => conditionSql(member, scope));
    const sql = `(${members.join(condition.operator === 'and' ? ' AND ' : ' OR ')})`;
    return condition.negated ? `NOT ${sql}` : sql;
  }
  const sql = testSql(condition, scope);
  return condition.negated ? `NOT (${sql})` : sql;
}

function testSql({ field, operator, operand }: PlannedFilter, scope: Scope): string {
  const left = fieldSql(field, scope);
  switch (operand.kind) {
    case 'value':
      return `${left} ${operator.sql} ${bind(scope, operand.text)}`;
    case 'quantified':
      return `${left} ${operator.sql} ${operand.quantifier.toUpperCase()} (${bind(scope, operand.array)}::${field.type.sqlType}[])`;
    case 'list':
      return `${left} = ANY (${bind(scope, arrayLiteral(operand.elements))}::${field.type.sqlType}[])`;
    case 'keyword':
      return `${left} IS ${isKeywords.get(operand.keyword)?.sql ?? 'NULL'}`;
    case 'search': {
      const config = operand.config === null ? '' : `${bind(scope, operand.config)}::regconfig, `;
      return `to_tsvector(${config}${left}) @@ ${operator.sql}(${config}${bind(scope, operand.text)})`;
    }
  }
}
