import { isKeywords } from '../operators.js';
import type { PlannedCondition, PlannedFilter } from '../plan/condition.js';
import { fieldSql } from './field.js';
import { arrayLiteral, bind } from './statement.js';

/** The practice's own rows that meet every condition; `$1` is the practice. */
export function whereSql(therapistId: string, where: readonly PlannedCondition[], values: string[]): string {
  const own = `t.therapist_id = ${bind(values, therapistId)}`;
  return where.reduce((sql, condition) => `${sql} AND ${conditionSql(condition, values)}`, own);
}

/** A condition as SQL, values bound; it stands for itself between AND and OR. */
export function conditionSql(condition: PlannedCondition, values: string[]): string {
  if (condition.kind === 'tree') {
    const members = condition.members.map((member) => conditionSql(member, values));
    const sql = `(${members.join(condition.operator === 'and' ? ' AND ' : ' OR ')})`;
    return condition.negated ? `NOT ${sql}` : sql;
  }
  const sql = testSql(condition, values);
  return condition.negated ? `NOT (${sql})` : sql;
}

function testSql({ field, operator, operand }: PlannedFilter, values: string[]): string {
  const left = fieldSql(field, values);
  switch (operand.kind) {
    case 'value':
      return `${left} ${operator.sql} ${bind(values, operand.text)}`;
    case 'quantified':
      return `${left} ${operator.sql} ${operand.quantifier.toUpperCase()} (${bind(values, operand.array)}::${field.type.sqlType}[])`;
    case 'list':
      return `${left} = ANY (${bind(values, arrayLiteral(operand.elements))}::${field.type.sqlType}[])`;
    case 'keyword':
      return `${left} IS ${isKeywords.get(operand.keyword)?.sql ?? 'NULL'}`;
    case 'search': {
      const config = operand.config === null ? '' : `${bind(values, operand.config)}::regconfig, `;
      return `to_tsvector(${config}${left}) @@ ${operator.sql}(${config}${bind(values, operand.text)})`;
    }
  }
}
