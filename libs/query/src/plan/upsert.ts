// Writes of records that may already exist: POST with a resolution, and PUT.

import { problemFor, reject, type PracticeRole } from '@practice/core';
import { kinds, type Resource } from '@practice/resource';
import type { BodyRow } from '../parse/body.js';
import { requiredValue } from '../parse/filter.js';
import type { Condition } from '../parse/logic.js';
import type { Method, ParsedRequest } from '../parse/request.js';
import { planField } from './columns.js';
import { DatabaseProblems } from './context.js';
import { isOwnPractice } from './practice.js';
import { planMerges } from './records.js';
import type { WriteTerms } from './terms.js';

export interface UpsertPlan extends WriteTerms {
  readonly kind: 'upsert';
  /** Visible column → JSON value as in the body; in a new record a column left out takes its default. */
  readonly records: readonly BodyRow[];
  /** For each record, the values that an existing record takes. */
  readonly merges: readonly BodyRow[];
  /** The columns that identify an existing record within the practice. */
  readonly conflictTarget: readonly string[];
  /** Whether an existing record is changed to the given values, or skipped. */
  readonly onConflict: 'merge' | 'ignore';
  /** Whether the request is a PUT of one record, which the URL names. */
  readonly isPut: boolean;
}

/** Whether a request writes records that may already exist. */
export const isUpsert = ({ method, preferences }: ParsedRequest): boolean =>
  method === 'PUT' || (method === 'POST' && preferences.resolution !== null);

const skipsExisting = ({ method, preferences }: ParsedRequest): boolean =>
  method === 'POST' && preferences.resolution === 'ignore-duplicates';

/** The method that the resource must have for a write. */
export function methodNeeded(parsed: ParsedRequest): Method {
  if (!isUpsert(parsed)) return parsed.method;
  return skipsExisting(parsed) ? 'POST' : 'PUT';
}

/**
 * The parts of a plan that only an upsert has.
 * @param id the id in the URL of a PUT, else null
 * @throws {Rejection} PGRST115, 42703, 42P10
 */
export function upsertOf(
  resource: Resource,
  parsed: ParsedRequest,
  { id, records: all, role }: { id: string | null; records: readonly BodyRow[]; role: PracticeRole },
): Omit<UpsertPlan, keyof WriteTerms> {
  const isPut = id !== null;
  const records = isPut ? [recordOf(id, all)] : all;
  return {
    kind: 'upsert',
    records,
    conflictTarget: isPut ? ['id'] : planTarget(resource, role, parsed.options.onConflict),
    merges: isPut ? records : planMerges(resource, parsed, records),
    onConflict: skipsExisting(parsed) ? 'ignore' : 'merge',
    isPut,
  };
}

/** The id in the URL of a PUT, which must have no other condition. */
export function namedId({ options }: ParsedRequest, therapistId: string): string {
  const conditions = options.conditions.filter(
    ({ value }) => value.kind === 'tree' || !isOwnPractice(value, therapistId),
  );
  const [first] = conditions;
  const id =
    first === undefined || conditions.length > 1 || first.embed.length > 0 ? null : idIn(first.value);
  return id ?? reject(notByKey);
}

/** The id of `id=eq.…`; null for any other condition. */
export function idIn(condition: Condition): string | null {
  if (condition.kind === 'tree') return null;
  const { field } = condition;
  return field.name === 'id' && field.path.length === 0 ? requiredValue(condition) : null;
}

/** The record of a PUT: the first of the body. Its id must be the one in the URL. */
function recordOf(id: string, [record]: readonly BodyRow[]): BodyRow {
  const [inUrl, inBody] = [kinds.uuid.parse(id), kinds.uuid.parse(record?.['id'])];
  const isSame = inUrl.ok && inBody.ok ? inUrl.value === inBody.value : record?.['id'] === id;
  return record !== undefined && isSame ? record : reject(otherKey);
}

/** The columns of the primary key or of a unique constraint on all rows. Each begins with the practice, which callers may name, too. */
function planTarget(
  resource: Resource,
  role: PracticeRole,
  onConflict: readonly string[] | null,
): readonly string[] {
  if (onConflict === null) return ['id'];
  const problems = new DatabaseProblems();
  const table = { resource, alias: resource.name, problems, role };
  for (const name of onConflict) planField(table, { name, path: [] });
  problems.report();
  const named = new Set(onConflict.filter((name) => name !== 'therapist_id'));
  const keys = [
    ['id'],
    ...(resource.uniques ?? []).filter(({ where }) => where === undefined).map(({ columns }) => columns),
  ];
  const target = keys.find((key) => key.length === named.size && key.every((name) => named.has(name)));
  return target ?? reject(noSuchKey);
}

const notByKey = problemFor('PGRST105', {
  message: "Filters must include all and only primary key columns with 'eq' operators",
});

const otherKey = problemFor('PGRST115', {
  message: 'Payload values do not match URL in primary key column(s)',
});

const noSuchKey = problemFor('42P10', {
  message: 'there is no unique or exclusion constraint matching the ON CONFLICT specification',
});
