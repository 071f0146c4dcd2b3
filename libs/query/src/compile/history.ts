// The rows of a history, as a subquery over the log. Postgres pulls it up into the statement around it, so filters and orders use the
// indexes of the log: the history of one record is one index scan.

import { isErased, joinPersonal, SEALED, schemaOf, withPersonal } from '@practice/core';
import type { PracticeRole, StoredValues } from '@practice/core';
import { accessOf, lifecycleOf, personalOf, visibleColumns, type Resource } from '@practice/resource';
import { quoted, type Parameter } from './scope.js';

/**
 * The history of a resource as a subquery. Columns that the role does not see appear nowhere in it, and neither does an event that
 * changed no other columns.
 * @param instant the parameter of the instant up to which events are shown; null for all of them
 */
export function historySql(resource: Resource, role: PracticeRole, instant: Parameter | null): string {
  return `(${textOf(resource, accessOf(resource, role).hidden)}${untilSql(instant)})`;
}

/** The condition on an event that it was recorded by an instant; empty for the present. */
export const untilSql = (instant: Parameter | null): string =>
  instant === null ? '' : ` AND e.recorded_at <= ${instant}::timestamptz`;

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** A member of an event's metadata. Earlier events have a text as the actor, so they have none of its members. */
const metadata = (member: string): string => `e.metadata ->> ${literal(member)}`;
const actor = (member: string): string => `e.metadata #>> '{actor,${member}}'`;

function textOf(resource: Resource, hidden: ReadonlySet<string>): string {
  const { service, aggregate } = resource;
  const shown = shownColumns(resource, hidden);
  const { created, deleted: deletions } = lifecycleOf(resource);
  const deleted = deletions.map(literal);
  const set = valuesSql(shown, 'data');
  const after =
    deleted.length === 0 ? set : `CASE WHEN e.type NOT IN (${deleted.join(', ')}) THEN ${set} END`;
  const members: Readonly<Record<string, string>> = {
    id: 'e.stream_id',
    therapist_id: 'e.therapist_id',
    version: 'e.version',
    position: 'e.position',
    change_id: metadata('changeId'),
    event: 'e.type',
    at: 'e.recorded_at',
    actor: actor('kind'),
    actor_id: `(${actor('id')})::uuid`,
    actor_name: actor('name'),
    oauth_client_id: metadata('oauthClientId'),
    reason: metadata('reason'),
    request_id: metadata('requestId'),
    caused_by: metadata('causedBy'),
    before: valuesSql(shown, 'previous'),
    after,
    erased: shown.isPersonal ? isErased : 'false',
    undoes: metadata('undoes'),
  };
  const names = shown.columns.map(([name]) => name).filter((name) => !KEYS.includes(name));
  const ends = [...created.map(literal), ...deleted].join(', ');
  const isShown = `(e.type IN (${ends}) OR e.data ?| ${array(names)})`;
  const list = Object.entries(members).map(([name, sql]) => `${sql} AS ${quoted(name)}`);
  const table = `${quoted(schemaOf(service))}.events`;
  const from = `${table} AS e${shown.isPersonal ? ` ${joinPersonal(service)}` : ''}`;
  return `SELECT ${list.join(', ')} FROM ${from} WHERE e.aggregate = ${literal(aggregate)}${hidden.size === 0 ? '' : ` AND ${isShown}`}`;
}

/** Columns that never change. */
const KEYS = ['id', 'therapist_id'];

/** The column that changes with every event. */
const SET_BY_SERVER = 'updated_at';

type Shown = ReturnType<typeof shownColumns>;

function shownColumns(resource: Resource, hiddenOfRole: ReadonlySet<string>) {
  const columns = visibleColumns(resource).filter(
    ([name]) => name !== SET_BY_SERVER && !hiddenOfRole.has(name),
  );
  const names = new Set(columns.map(([name]) => name));
  // The other columns of the resource.
  const hidden = Object.keys(resource.columns).filter((name) => !names.has(name));
  // Whether the log has personal values of the resource, which are joined.
  const isPersonal = personalOf(resource) !== null;
  return { columns, hidden, isPersonal };
}

const array = (names: readonly string[]): string => `'{${names.join(',')}}'::text[]`;

/** Values of an event as reads show them, without the columns that the caller does not see. */
function valuesSql({ columns, hidden, isPersonal }: Shown, values: StoredValues): string {
  const all = isPersonal ? withPersonal(values) : `e.${values}`;
  const own = `(${all} - ${array(isPersonal ? [...hidden, SEALED] : hidden)})`;
  return columns.reduce((sql, [name, { kind, personal }]) => {
    if (kind.shownOfText === undefined) return sql;
    const from = personal === undefined ? `e.${values}` : all;
    const shown = `jsonb_build_object(${literal(name)}, ${kind.shownOfText(`${from} ->> ${literal(name)}`)})`;
    return `${sql} || CASE WHEN ${from} ? ${literal(name)} THEN ${shown} ELSE '{}' END`;
  }, own);
}
