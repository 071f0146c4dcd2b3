// Records before and after changes. The version before a change is stored, unless it was replaced in the same transaction that created
// it. Then an earlier version is stored, and the few events after that version are folded.

import type { AskedChange, ShownRecord, ToldChange } from '@practice/contracts';
import { logTable, openedEvents, type Statement, type TextRow } from '@practice/log';
import { evolve, visibleColumns, type Fact, type Resource, type Row, type Value } from '@practice/resource';
import { tableOf, versionsTableOf } from '@practice/storage';

/** The maximum distance between the versions of the events that one change makes of one record. */
const REACH = 100;

/** An event after the stored version, with its own version in the stream. */
type LaterEvent = Fact & { readonly version: number };

/** The changes of records of one resource. */
export const selectChanges = (
  resource: Resource,
  therapistId: string,
  asked: readonly AskedChange[],
): Statement => ({
  text: changesText(resource),
  values: [therapistId, resource.aggregate, JSON.stringify(asked)],
});

/** SQL with one row for each change: asked version, id, first and last version, events after the stored version, stored version. */
function changesText(resource: Resource): string {
  const columns = visibleColumns(resource).map(([name]) => `"${name}"`);
  const kept = (table: string): string =>
    `SELECT ${[...columns, 'version'].join(', ')} FROM ${table} WHERE therapist_id = $1 AND id = a.id AND version < span.first`;
  const events = logTable(resource.service, 'events');
  const ofRecord = 'e.therapist_id = $1 AND e.stream_id = a.id AND e.aggregate = $2';
  return `SELECT a.version, a.id, span.first, span.last, since.events, ${columns.map((name) => `kept.${name}`).join(', ')}
FROM json_to_recordset($3::json) AS a(id uuid, version integer),
LATERAL (SELECT e.metadata->>'changeId' AS id FROM ${events} AS e WHERE ${ofRecord} AND e.version = a.version OFFSET 0) AS change,
LATERAL (
  SELECT min(e.version) AS first, max(e.version) AS last FROM ${events} AS e
  WHERE ${ofRecord} AND e.version BETWEEN a.version - ${REACH} AND a.version + ${REACH}
    AND (e.version = a.version OR e.metadata->>'changeId' = change.id)
) AS span
LEFT JOIN LATERAL (
  SELECT * FROM (${kept(tableOf(resource))} UNION ALL ${kept(versionsTableOf(resource))}) AS k ORDER BY version DESC LIMIT 1
) AS kept ON true,
LATERAL (
  SELECT json_agg(json_build_object('type', e.type, 'data', e.data, 'schemaVersion', e.schema_version,
    'recordedAt', to_json(e.recorded_at) #>> '{}', 'version', e.version) ORDER BY e.version) AS events
  FROM ${openedEvents(resource.service)} AS e
  WHERE ${ofRecord} AND e.version > coalesce(kept.version, 0) AND e.version <= span.last
) AS since`;
}

/** The rows that `selectChanges` finds, as changes. */
export function* readChanges(resource: Resource, rows: readonly TextRow[]): Generator<ToldChange, void> {
  for (const [version, id, first, , events, ...kept] of rows) {
    const since = JSON.parse(events ?? '[]') as LaterEvent[];
    const isBefore = (event: LaterEvent): boolean => event.version < Number(first);
    const fold = (from: Row | null, facts: readonly Fact[]): Row | null =>
      facts.reduce((state, fact) => evolve(resource, state, fact), from);
    const before = fold(keptRow(resource, kept), since.filter(isBefore));
    const own = since.filter((event) => !isBefore(event));
    yield {
      resource: resource.name,
      id: String(id),
      version: Number(version),
      at: own.at(-1)?.recordedAt ?? '',
      before: shown(resource, before),
      after: shown(resource, fold(before, own)),
    };
  }
}

/** The stored version as a row; null if none is stored, which the missing id shows. */
function keptRow(resource: Resource, texts: readonly (string | null)[]): Row | null {
  const members = visibleColumns(resource).map(([name, { kind }], index) => {
    const text = texts[index];
    return [name, text === null || text === undefined ? null : (kind.fromText(text) as Value)] as const;
  });
  const row: Row = Object.fromEntries(members);
  return row['id'] === null ? null : row;
}

function shown(resource: Resource, row: Row | null): ShownRecord | null {
  if (row === null) return null;
  const columns = visibleColumns(resource).filter(([, { confidential }]) => confidential !== true);
  return Object.fromEntries(
    columns.map(([name, { kind }]) => {
      const value = row[name] ?? null;
      return [name, value === null ? null : (JSON.parse(kind.toJson(value)) as unknown)];
    }),
  );
}
