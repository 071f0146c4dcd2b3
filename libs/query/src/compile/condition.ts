import { existenceOf, groupColumns, type Related } from '../plan/existence.js';
import type { PlannedCondition, PlannedEmbed, PlannedField, PlannedFilter } from '../plan/read-plan.js';
import { columnSql, fieldSql, joinSql, tableSql } from './field.js';
import { addCheck, bind, bindOperand, innerScope, type Scope } from './scope.js';

/** A condition that always applies, joined with all the others by AND. */
export const whereSql = (own: string, where: readonly PlannedCondition[], scope: Scope): string =>
  where.reduce((sql, condition) => `${sql} AND ${conditionSql(condition, scope)}`, own);

/** A condition as SQL that can be an operand of AND and OR. Its values are bound. */
function conditionSql(condition: PlannedCondition, scope: Scope): string {
  switch (condition.kind) {
    case 'filter':
      return condition.negated ? `NOT (${testSql(condition, scope)})` : testSql(condition, scope);
    case 'tree': {
      const within = condition.negated ? { ...scope, isNegated: true } : scope;
      const members = condition.members.map((member) => conditionSql(member, within));
      const sql = `(${members.join(condition.operator === 'and' ? ' AND ' : ' OR ')})`;
      return condition.negated ? `NOT ${sql}` : sql;
    }
    case 'existence':
      return `${condition.negated ? 'NOT ' : ''}${existsSql(condition.embed, scope)}`;
  }
}

const testSql = ({ field, operator, operand, negated }: PlannedFilter, scope: Scope): string =>
  operator.render(operand, {
    indexed: negated ? undefined : lookupSql(field, scope),
    left: fieldSql(field, scope),
    sqlType: field.type.sqlType,
    bind: (value) => {
      const bound = bindOperand(scope, value, { field, operand });
      return field.column.lowerCase === true && COMPARING.has(operator.family) ? `lower(${bound})` : bound;
    },
    check: (sql) => {
      addCheck(scope, sql);
    },
  });

/** Patterns are left as they are: they have classes such as `\D`. */
const COMPARING: ReadonlySet<string> = new Set(['equality', 'order']);

/** The index has only present rows with a value. A row without a value must match neither the condition nor its negation. */
function lookupSql(field: PlannedField, scope: Scope): ((words: string) => string) | undefined {
  const { lookup } = field.column;
  if (lookup === undefined || field.path.length > 0 || scope.isNegated === true || scope.query.past !== null)
    return undefined;
  const id = columnSql('id', scope);
  if (scope.depth > 0 || scope.isOfNextPage !== true)
    return (words) => `${id} = ANY (ARRAY(SELECT ${lookup}(${words})))`;
  // The versions that were replaced since the first page are compared row by row; see `sinceSql`.
  return (words) =>
    `(${id} = ANY (ARRAY(SELECT ${lookup}(${words}) UNION ALL SELECT o.id FROM past AS o)) AND (${id} NOT IN (SELECT g.id FROM gone AS g) OR search_like(${words}, ${fieldSql(field, scope)})))`;
}

function existsSql(embed: PlannedEmbed, scope: Scope): string {
  const existence = existenceOf(embed);
  if (existence !== 'rows') return existence === 'always' ? 'true' : 'false';
  return embed.isCrossService ? isMatchingSql(embed, scope) : hasRowsSql(embed, scope);
}

/** False rather than null for a row that refers to nothing, so that it can be negated. */
function isMatchingSql(embed: PlannedEmbed, scope: Scope): string {
  const keys = scope.semiJoinKeys?.matching.get(embed);
  if (keys === undefined) throw new Error(`the matching keys of ${embed.key} were not fetched`);
  const here = columnSql(embed.relation.here, scope);
  return `(${here} IS NOT NULL AND ${here} = ANY (${bind(scope, keys)}::uuid[]))`;
}

function hasRowsSql(embed: PlannedEmbed, scope: Scope): string {
  const inner = innerScope(scope);
  const { node } = embed;
  const where = whereSql(joinSql(embed, scope, inner), node.where, inner);
  const from = `FROM ${tableSql(node, inner)} WHERE ${where}`;
  if (node.offset === 0) return `EXISTS (SELECT 1 ${from})`;
  return `((SELECT ${rowCountSql(embed, inner)} ${from}) > ${bind(scope, String(node.offset))})`;
}

/**
 * Adds the conditions of embeds that are not part of the query, so that a malformed value in them fails, too. They are
 * type-checked, but read no row.
 */
export function checkConditions(embeds: readonly PlannedEmbed[], scope: Scope): void {
  for (const { node, isCrossService } of embeds) {
    if (isCrossService) continue;
    const inner = innerScope(scope);
    const where = node.where.filter(hasOnlyFilters);
    if (where.length > 0)
      addCheck(
        scope,
        `EXISTS (SELECT 1 FROM ${tableSql(node, inner)} WHERE ${whereSql('false', where, inner)})`,
      );
    checkConditions(node.embeds, inner);
  }
}

const hasOnlyFilters = (condition: PlannedCondition): boolean =>
  condition.kind === 'tree' ? condition.members.every(hasOnlyFilters) : condition.kind === 'filter';

/** The number of rows, or groups, that an embed would return without an offset. */
export function rowCountSql(embed: Related, scope: Scope): string {
  const columns = groupColumns(embed)?.map((column) =>
    typeof column === 'string' ? columnSql(column, scope) : fieldSql(column, scope),
  );
  return columns === undefined ? 'count(*)' : `count(DISTINCT ROW(${columns.join(', ')}))`;
}
