// The tools that write. Each makes a draft; `writes.ts` proposes it and carries it out.

import { catalog } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { InnerCall, InnerCalls } from './inner-calls.js';
import { creation, occurrences, ofSeries, undoing, update, withReason } from './drafts.js';
import type { Draft } from './proposal-store.js';
import { holds, writesAnything } from './scopes.js';
import { adding, day, id, type Json, object, replacing, text, time, type Tool } from './tool.js';

export interface WriteTool extends Omit<Tool, 'output'> {
  readonly draft: (args: Json, calls: InnerCalls) => Promise<Draft>;
}

const PROPOSED =
  'Changes nothing until it is confirmed; without a form, the result is a proposal for `commit`.';

const columnsOfVisit = {
  ...{ date: day(), start_time: time, end_time: time },
  ...{ client_id: id(), service_id: id(), practitioner_id: id(), notes: text() },
};

const seriesWithVisits = {
  resource: 'appointment_series',
  select: '*,appointments(id,date,start_time,end_time)',
};

const book: WriteTool = {
  name: 'book',
  title: 'Book an appointment',
  description: `Books an appointment, or a series with \`rrule\` (RFC 5545). ${PROPOSED} A taken time is answered with free ones.`,
  scope: 'appointments:write',
  input: object({ ...columnsOfVisit, rrule: text() }, ['date', 'start_time']),
  annotations: adding,
  draft: (args, calls) =>
    args['rrule'] === undefined
      ? creation(calls, { resource: 'appointments' }, args)
      : creation(calls, seriesWithVisits, args),
};

const noRecord = problemFor('PM404', { message: 'There is no appointment or series with this id' });

const changeVisit: WriteTool = {
  name: 'change',
  title: 'Change an appointment',
  description: `Moves or changes an appointment; with \`from_date\`, the appointments of its series from that day on. ${PROPOSED}`,
  scope: 'appointments:write',
  input: object(
    {
      id: id('an appointment or a series'),
      ...columnsOfVisit,
      status: { type: 'string', enum: ['scheduled', 'confirmed', 'completed', 'cancelled', 'no_show'] },
      from_date: day(),
    },
    ['id'],
  ),
  annotations: replacing,
  draft: async ({ id: of, from_date: from, ...given }, calls) => {
    const target = { resource: 'appointments', id: String(of) };
    // With null, the server computes the end again, so a move keeps the length.
    const isMove = given['start_time'] !== undefined && given['end_time'] === undefined;
    const set = isMove ? { ...given, end_time: null } : given;
    if (from === undefined) return (await update(calls, target, set)) ?? reject(noRecord);
    const series = (await seriesOf(calls, target.id)) ?? reject(noRecord);
    const booked = await occurrences(calls, String(series['id']), `series_date=gte.${String(from)}`);
    const body = { series_id: series['id'], from_date: from, ...given };
    const call: InnerCall = { method: 'POST', path: 'rpc/change_series', body, isOfTool: true };
    const { date: _, rrule: __, ...later } = given;
    return ofSeries(calls, call, { series, booked, later });
  },
};

async function seriesWithId(calls: InnerCalls, id: string): Promise<Json | undefined> {
  const [series] = await calls.read<Json>(`appointment_series?id=eq.${id}&select=*,version`);
  return series;
}

/** The series with an id, or the series of the appointment with the id. */
async function seriesOf(calls: InnerCalls, of: string): Promise<Json | undefined> {
  const series = await seriesWithId(calls, of);
  if (series !== undefined) return series;
  const [visit] = await calls.read<Json>(`appointments?id=eq.${of}&select=series_id`);
  return typeof visit?.['series_id'] === 'string' ? seriesWithId(calls, visit['series_id']) : undefined;
}

const cancel: WriteTool = {
  name: 'cancel',
  title: 'Cancel an appointment',
  description: `Cancels an appointment, or all coming ones of a series. ${PROPOSED}`,
  scope: 'appointments:write',
  input: object({ id: id('an appointment or a series'), reason: text() }, ['id']),
  annotations: { ...replacing, idempotentHint: true },
  draft: async ({ id: of, reason }, calls) => {
    const because = reason === undefined ? undefined : String(reason);
    const target = { resource: 'appointments', id: String(of), reason: because };
    const one = await update(calls, target, { status: 'cancelled' });
    if (one !== undefined) return one;
    const series = (await seriesWithId(calls, target.id)) ?? reject(noRecord);
    const call: InnerCall = {
      ...({ method: 'PATCH', path: `appointment_series?id=eq.${target.id}&select=id,status` } as const),
      ...{ body: { status: 'ended' }, isOfTool: true },
      ...withReason(because),
    };
    const booked = await occurrences(calls, target.id, `starts_at=gt.${new Date().toISOString()}`);
    return ofSeries(calls, call, { series, booked, later: { status: 'cancelled' } });
  },
};

const draftNote: WriteTool = {
  name: 'draft_note',
  title: 'Draft a session note',
  description: `Makes a draft of a session note; only a person signs it. ${PROPOSED}`,
  scope: 'sessions:write',
  input: object(
    {
      ...{ client_id: id(), appointment_id: id() },
      ...{ subjective: text(), objective: text(), assessment: text(), plan: text() },
    },
    ['client_id'],
  ),
  annotations: adding,
  draft: (args, calls) => creation(calls, { resource: 'sessions' }, args),
};

const recorded = ['conversation_log', 'clients', 'expenses'];

const record: WriteTool = {
  name: 'record',
  title: 'Record a client, a conversation or an expense',
  description: `Adds a record with these values; \`describe\` has the columns. ${PROPOSED}`,
  scope: 'conversation_log:write',
  isFor: (identity) => recorded.some((resource) => holds(identity, `${resource}:write`)),
  input: object({ resource: { type: 'string', enum: recorded }, values: { type: 'object' } }, [
    'resource',
    'values',
  ]),
  annotations: adding,
  draft: async ({ resource, values }, calls) => {
    const name = String(resource);
    const columns = catalog.resources.get(name)?.columns ?? {};
    const within = Object.keys(values as Json).find((key) => !Object.hasOwn(columns, key));
    // An unknown column could contain records of any resource, which would be written too.
    if (within !== undefined) reject('PM400', { message: `${name} has no column ${within}` });
    return creation(calls, { resource: name }, values as Json);
  },
};

const undo: WriteTool = {
  name: 'undo',
  title: 'Undo a change',
  description: `Takes one change of this access or its person back, by its change_id. ${PROPOSED}`,
  scope: 'appointments:write',
  isFor: writesAnything,
  input: object({ change_id: { ...text(), maxLength: 100 } }, ['change_id']),
  annotations: replacing,
  draft: ({ change_id: changeId }, calls) => undoing(calls, String(changeId)),
};

export const writeTools: ReadonlyMap<string, WriteTool> = new Map(
  [book, changeVisit, cancel, draftNote, record, undo].map((tool) => [tool.name, tool]),
);
