// Search that tolerates typos: calls of its functions in a service's schema, and the virtual columns of a search. Postgres finds the
// functions by the search path, so that the same SQL searches the results of API functions, which have no schema.

import type { Operand } from '../operators.js';
import type { PlannedField, PlannedFilter, VirtualColumn } from '../plan/read-plan.js';
import { bind, bindOperand, type Scope } from './scope.js';

/**
 * The value of a virtual column for a row: the best rank of all its filters, or the passage that the first matching filter finds.
 * @param fieldSql the SQL of a field
 */
export function virtualSql(
  { kind, filters }: VirtualColumn,
  scope: Scope,
  fieldSql: (field: PlannedField, scope: Scope) => string,
): string {
  const values = filters.map((filter) => {
    const parts = partsOf(filter, scope, fieldSql(filter.field, scope));
    return (kind === 'rank' ? rankSql : snippetSql)(filter, parts);
  });
  const [first = 'NULL'] = values;
  if (values.length === 1) return first;
  return `${kind === 'rank' ? 'greatest' : 'coalesce'}(${values.join(', ')})`;
}

function rankSql(filter: PlannedFilter, { left, query, config }: Parts): string {
  if (filter.operand.kind !== 'search') return `search_rank(${query}, ${left})`;
  return `ts_rank(to_tsvector(${config}${left}), ${filter.operator.sql}(${config}${query}))::float8`;
}

/** The passage that a filter finds; null if the filter does not match, so that `coalesce` takes the first filter that does. */
function snippetSql(filter: PlannedFilter, { left, query, config }: Parts): string {
  if (filter.operand.kind !== 'search')
    return `CASE WHEN search_like(${query}, ${left}) THEN search_snippet(${query}, ${left}) END`;
  const search = `${filter.operator.sql}(${config}${query})`;
  return `CASE WHEN to_tsvector(${config}${left}) @@ ${search} THEN ts_headline(${config}${left}, ${search}, '${PLAIN}') END`;
}

/** Matches are not marked, because a page that shows a passage escapes any markup in it. */
const PLAIN = 'StartSel="", StopSel="", MinWords=10, MaxWords=25';

interface Parts {
  readonly left: string;
  readonly query: string;
  /** The text search configuration with the comma behind it; empty without one. */
  readonly config: string;
}

function partsOf(filter: PlannedFilter, scope: Scope, left: string): Parts {
  const { operand } = filter;
  const config = operand.kind === 'search' && operand.config !== null ? bind(scope, operand.config) : null;
  return {
    left,
    query: bindOperand(scope, textOf(operand), filter),
    config: config === null ? '' : `${config}::regconfig, `,
  };
}

const textOf = (operand: Operand): string => ('text' in operand ? operand.text : '');
