import { isKeywords } from '../operators.js';
import type { PlannedCondition, PlannedEmbed, PlannedFilter } from '../plan/read-plan.js';
import { columnSql, fieldSql, joinSql, tableSql } from './field.js';
import { arrayLiteral, bind, innerScope } from './scope.js';
import type { Scope } from './scope.js';

/** A condition that must be met anyway, and all of these. */
export const whereSql = (own: string, where: readonly PlannedCondition[], scope: Scope): string =>
  where.reduce((sql, condition) => `${sql} AND ${conditionSql(condition, scope)}`, own);

/** A condition as SQL that stands for itself between AND and OR; its values are bound. */
function conditionSql(condition: PlannedCondition, scope: Scope): string {
  switch (condition.kind) {
    case 'filter':
      return condition.negated ? `NOT (${testSql(condition, scope)})` : testSql(condition, scope);
    case 'tree': {
      const members = condition.members.map((member) => conditionSql(member, scope));
      const sql = `(${members.join(condition.operator === 'and' ? ' AND ' : ' OR ')})`;
      return condition.negated ? `NOT ${sql}` : sql;
    }
    case 'existence':
      return `${condition.negated ? 'NOT ' : ''}${existsSql(condition.embed, scope)}`;
  }
}

const existsSql = (embed: PlannedEmbed, scope: Scope): string =>
  embed.isCrossService ? isKnownSql(embed, scope) : `EXISTS (${existenceSql(embed, scope)})`;

/** False rather than null where nothing is referred to, so that it can be negated. */
function isKnownSql(embed: PlannedEmbed, scope: Scope): string {
  const keys = scope.semiJoinKeys?.matching.get(embed);
  if (keys === undefined) throw new Error(`it is not known which records of ${embed.key} there are`);
  const here = columnSql(embed.relation.here, scope);
  return `(${here} IS NOT NULL AND ${here} = ANY (${bind(scope, keys)}::uuid[]))`;
}

function existenceSql(embed: PlannedEmbed, scope: Scope): string {
  const inner = innerScope(scope);
  const where = whereSql(joinSql(embed, scope, inner), embed.node.where, inner);
  return `SELECT 1 FROM ${tableSql(embed.node.resource, inner)} WHERE ${where}`;
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
