// Search that forgives: the functions of a service's schema for it, and the virtual columns of a search. All of them are found by the
// search path, so that the results of functions, which have no schema, are searched by the same SQL.

import type { Operand } from '../operators.js';
import type { PlannedField, PlannedFilter, VirtualColumn } from '../plan/read-plan.js';
import { bind, type Scope } from './scope.js';

/**
 * The value of a virtual column for a row: of all its filters, the best rank; or the passage that the first one finds.
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

/** Only what matches has a passage, so that `coalesce` finds the column that does. */
function snippetSql(filter: PlannedFilter, { left, query, config }: Parts): string {
  if (filter.operand.kind !== 'search')
    return `CASE WHEN search_like(${query}, ${left}) THEN search_snippet(${query}, ${left}) END`;
  const search = `${filter.operator.sql}(${config}${query})`;
  return `CASE WHEN to_tsvector(${config}${left}) @@ ${search} THEN ts_headline(${config}${left}, ${search}, '${PLAIN}') END`;
}

/** A page that shows a passage escapes it, so matches are not marked. */
const PLAIN = 'StartSel="", StopSel="", MinWords=10, MaxWords=25';

interface Parts {
  readonly left: string;
  readonly query: string;
  /** The text search configuration with the comma behind it; empty without one. */
  readonly config: string;
}

function partsOf({ operand }: PlannedFilter, scope: Scope, left: string): Parts {
  const config = operand.kind === 'search' && operand.config !== null ? bind(scope, operand.config) : null;
  return {
    left,
    query: bind(scope, textOf(operand), 'slot' in operand ? operand.slot : undefined),
    config: config === null ? '' : `${config}::regconfig, `,
  };
}

const textOf = (operand: Operand): string => ('text' in operand ? operand.text : '');
