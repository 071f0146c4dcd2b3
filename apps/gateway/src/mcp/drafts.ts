// Drafts: the writes of tools, tried with `tx=rollback`. A draft has the exact changes, and the command that makes them again.

import { randomUUID } from 'node:crypto';
import { catalog } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { Columns } from '@practice/resource';
import type { InnerCall, InnerCalls } from './inner-calls.js';
import type { Change, Draft, Expected } from './proposal-store.js';
import { encoded, isObject, type Json, quotedAll } from './tool.js';

const REPRESENTED = 'return=representation';

/** Tries a write. @throws {Rejection} with the problem that it would have */
async function tried(calls: InnerCalls, command: InnerCall): Promise<readonly Json[]> {
  const headers = { ...command.headers, prefer: `${REPRESENTED}, tx=rollback` };
  return [await calls.need<Json | Json[]>({ ...command, headers })].flat();
}

/** The command as it is carried out later. */
const command = (call: InnerCall): InnerCall => ({
  ...call,
  headers: { ...call.headers, prefer: REPRESENTED },
  isOfTool: true,
});

const change = (resource: string, before: Json | null, after: Json | null): Change => ({
  ...{ resource, id: idOf(after ?? before) },
  before: before === null ? null : (quotedAll(before)[0] as Json),
  after: after === null ? null : (quotedAll(after)[0] as Json),
});

const idOf = (row: Json | null): string => String(row?.['id']);

/** Columns that a caller sets, with the values that they have in a row. */
function settable(resource: string, row: Json, given: Json): Json {
  const columns: Columns = catalog.resources.get(resource)?.columns ?? {};
  return Object.fromEntries(
    Object.entries(row).filter(([name, value]) => {
      const column = columns[name];
      if (name in given) return true;
      // Copies of a client's name are left to the server. Other values that the server has filled in, such as a price, are kept.
      if (column === undefined || column.readOnly === true || column.computed === true) return false;
      return value !== null && column.personal === undefined && !NEVER_SET.has(name);
    }),
  );
}

const NEVER_SET = new Set(['id', 'therapist_id', 'created_at', 'updated_at']);

/**
 * Whether a write is about money: a record of the finance service, a price, or a completed appointment, which uses a visit of a package.
 * @param values of the columns that change
 */
const isMoney = (resource: string, ...values: readonly Json[]): boolean =>
  catalog.resources.get(resource)?.service === 'finance' ||
  values.some((one) => 'price' in one || one['status'] === 'completed');

interface Created {
  readonly resource: string;
  /** The columns of the response; all if omitted. */
  readonly select?: string;
}

/** A draft that creates a record. */
export async function creation(
  calls: InnerCalls,
  { resource, select = '*' }: Created,
  given: Json,
): Promise<Draft> {
  const id = randomUUID();
  const call: InnerCall = {
    ...({ method: 'POST', path: `${resource}?select=${select}` } as const),
    ...{ body: { id, ...given }, isOfTool: true },
  };
  const [after = {}] = await tried(calls, call);
  const dependents = Object.values(after).flatMap((value) => (Array.isArray(value) ? value : []));
  const { appointments: _, ...own } = after;
  return {
    command: command({ ...call, body: { id, ...settable(resource, own, given) } }),
    changes: [change(resource, null, after)],
    expected: [],
    records: 1 + dependents.filter((one) => typeof one === 'object').length,
    isGrave: isMoney(resource, given),
  };
}

interface Target {
  readonly resource: string;
  readonly id: string;
  readonly reason?: string | undefined;
}

/** The reason of a write as its header. */
export const withReason = (reason: string | undefined): Pick<InnerCall, 'headers'> =>
  reason === undefined ? {} : { headers: { 'change-reason': encoded('reason', reason) } };

/** A draft that changes one record; undefined if there is no record with the id. */
export async function update(
  calls: InnerCalls,
  { resource, id, reason }: Target,
  given: Json,
): Promise<Draft | undefined> {
  const call: InnerCall = {
    ...({ method: 'PATCH', path: `${resource}?id=eq.${id}` } as const),
    ...{ body: given, isOfTool: true },
    ...withReason(reason),
  };
  const [[found], [after]] = await Promise.all([
    calls.read<Json>(`${resource}?id=eq.${id}&select=*,version`),
    tried(calls, call),
  ]);
  if (found === undefined || after === undefined) return undefined;
  const { version, ...before } = found;
  const set = Object.fromEntries(
    Object.entries(settable(resource, after, given)).filter(([name, value]) => !isSame(before[name], value)),
  );
  if (Object.keys(set).length === 0) return reject('PM400', { message: 'Nothing would change' });
  const headers = { ...call.headers, 'if-match': `"${String(version)}"` };
  return {
    command: command({ ...call, body: set, headers }),
    changes: [change(resource, picked(before, after), picked(after, before))],
    expected: [{ resource, id, version: Number(version) }],
    records: 1,
    isGrave: isMoney(resource, set, picked(before, after)),
  };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The id of a row and its columns that differ from another row. */
const picked = (row: Json, other: Json): Json =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => name === 'id' || (name !== 'updated_at' && !isSame(value, other[name])),
    ),
  );

/** The appointments of a series that a write may change, with their versions. @param when a filter of their time */
export async function occurrences(
  calls: InnerCalls,
  seriesId: string,
  when: string,
): Promise<readonly Json[]> {
  const filter = `series_id=eq.${seriesId}&${when}&status=in.(scheduled,confirmed)`;
  const columns = 'id,date,start_time,end_time,status,version';
  return calls.read<Json>(`appointments?${filter}&select=${columns}&order=series_date&limit=${MOST}`);
}

const MOST = 400;

const expectedOf = (resource: string, rows: readonly Json[]): Expected[] =>
  rows.map((row) => ({ resource, id: idOf(row), version: Number(row['version']) }));

/** A draft that changes a series and appointments of it. */
export async function ofSeries(
  calls: InnerCalls,
  call: InnerCall,
  {
    series,
    booked,
    later,
  }: { readonly series: Json; readonly booked: readonly Json[]; readonly later: Json },
): Promise<Draft> {
  const [after = {}] = await tried(calls, call);
  const { changed = 0, booked: added = 0, cancelled = 0 } = after as Record<string, number>;
  const { version, ...before } = series;
  const headers = { ...call.headers, 'if-match': `"${String(version)}"` };
  return {
    command: command({ ...call, headers }),
    changes: [
      change('appointment_series', before, { ...before, ...after, id: before['id'] }),
      ...booked.map(({ version: _, ...one }) => change('appointments', one, { ...one, ...later })),
    ],
    expected: [...expectedOf('appointment_series', [series]), ...expectedOf('appointments', booked)],
    records: 1 + Math.max(booked.length, changed + added + cancelled),
    // The appointments take the price of a new service.
    isGrave: 'service_id' in later,
  };
}

export async function undoing(calls: InnerCalls, changeId: string): Promise<Draft> {
  const call: InnerCall = { method: 'POST', path: 'rpc/undo', body: { change_id: changeId }, isOfTool: true };
  const rows = await tried(calls, call);
  const [first] = rows;
  const isOwn = first !== undefined && (await isOwnChange(calls, String(first['resource']), changeId));
  return {
    command: command(call),
    changes: rows.map(({ resource, id, before, after }) => ({
      ...{ resource: String(resource), id: String(id) },
      before: (quotedAll(before)[0] ?? null) as Json | null,
      after: (quotedAll(after)[0] ?? null) as Json | null,
    })),
    expected: [],
    records: rows.length,
    isGrave: rows.some((row) => isGraveUndo(row, isOwn)),
  };
}

/** The resources whose records tools write. */
const written = new Set([
  ...['appointments', 'appointment_series', 'clients'],
  ...['conversation_log', 'expenses', 'sessions'],
]);

/** Whether the undo of a record needs its person: for deletions, for money, and for settings, which include the assistant's limit. */
function isGraveUndo({ resource, before, after }: Json, isOwn: boolean): boolean {
  const name = String(resource);
  if (!written.has(name)) return true;
  // An access may undo its own creation, since the record is unchanged.
  if (!isObject(before) || !isObject(after)) return isMoney(name) || (after === null && !isOwn);
  return isMoney(name, picked(before, after), picked(after, before));
}

/**
 * Whether a change was made with the access that asks to undo it.
 * @throws {Rejection} 42501 for a change of another person, unless an owner asks
 */
async function isOwnChange(calls: InnerCalls, resource: string, changeId: string): Promise<boolean> {
  const { identity } = calls;
  const select = 'select=actor,actor_id,oauth_client_id&limit=1';
  const history = `${resource}_history?change_id=eq.${encodeURIComponent(changeId)}&${select}`;
  const [made] = await calls.read<Json>(history);
  if (made?.['actor_id'] !== identity.userId) {
    return identity.practiceRole === 'owner' ? false : reject(notOwn);
  }
  // The actor of a write through an app is its person.
  if (identity.oauthClientId !== undefined) return made['oauth_client_id'] === identity.oauthClientId;
  return made['actor'] === 'token' && made['oauth_client_id'] === null;
}

const notOwn = problemFor('42501', {
  message: 'permission denied: only an owner undoes the changes of other people',
});
