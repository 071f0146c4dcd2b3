// What rows become: JSON objects between brackets or on their own, or lines of CSV.

import type { Resource } from '@practice/resource';
import type { Media } from '../parse/media.js';
import type { PlannedItem, PlannedSelect } from '../plan/read-plan.js';
import { formatOf } from '../compose/pieces.js';
import { hasRemote } from '../plan/select.js';
import { csvHeader } from '../response/csv.js';
import { subplanShape } from './subplan.js';
import type { Shape } from './shape.js';
import { listSql, membersSql, rowJsonSql } from './select.js';
import { bind } from './scope.js';
import type { Scope } from './scope.js';

/** Rows of which resource, and what of them. */
export interface Shaped {
  readonly resource: Resource;
  readonly select: PlannedSelect;
}

/**
 * The shape of an answer: a JSON array, what is between its brackets where one object is wanted, or CSV; or, where other
 * statements answer members of it, the rows in pieces.
 */
export function shapeOf({ resource, select }: Shaped, media: Media, scope: Scope): Shape {
  if (scope.semiJoinKeys !== null && hasRemote(select))
    return subplanShape(resource, select, { format: formatOf(media), scope });
  if (media.shape === 'csv') return csvShape(select.items, scope);
  const rows = `coalesce(string_agg(${rowText(select, media)}, ','), '')`;
  return { list: listSql(select, scope), body: media.shape === 'object' ? rows : `'[' || ${rows} || ']'` };
}

function rowText(select: PlannedSelect, { stripped }: Media): string {
  if (stripped) return `json_strip_nulls(${rowJsonSql(select)})::text`;
  return select.isWhole ? 'r._json' : `${rowJsonSql(select)}::text`;
}

/** Postgres' text of a row has CSV's quoting, and parentheses round it. Without rows there is no header either. */
function csvShape(items: readonly PlannedItem[], scope: Scope): Shape {
  const header = bind(scope, csvHeader(items.map(({ key }) => key)));
  const rows = `string_agg(substr((r.*)::text, 2, length((r.*)::text) - 2), E'\\n')`;
  return { list: membersSql(items, scope), body: `coalesce(${header} || E'\\n' || ${rows}, E'\\n')` };
}
