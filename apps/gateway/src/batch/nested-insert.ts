// Carries out a nested insert as a batch, and reads what it has written for the response.

import type { Reply, Requester } from '@practice/bus';
import { allSteps, isSuccess, newId, type Problem, problemFor, reject } from '@practice/core';
import { appliedPreferences, contentRange, negotiated, notOneRow, recordPath } from '@practice/query';
import type { BatchAnswer, CommandEnvelope, NestedLevel, QueryEnvelope } from '@practice/query';
import { JSON_TYPE } from '../http/responses.js';
import { inPlace, type NestedInsert } from '../parse/nested-insert.js';
import { recordsCall, type RecordsCall } from '../parse/parse.js';
import { refusalReply, replyOfFailure } from '../services/failure.js';
import { replyOfBatch } from './coordinator.js';

interface Reach {
  readonly requester: Requester;
  readonly read: (call: RecordsCall, envelope: QueryEnvelope) => Promise<Reply<Buffer>>;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

interface Call {
  readonly request: RecordsCall['request'];
  readonly nested: NestedInsert;
}

type Read = (ids: readonly string[], accept: string | null) => Promise<Reply<Buffer>>;

/**
 * The reply to a nested insert. If the reply contains records, the read is first tried for an id without a record, so
 * that a malformed `select` is refused before the write.
 */
export async function replyOfNested(
  { requester, read }: Reach,
  call: Call,
  { request: _, ifMatch: __, records: ___, repeatable, reason, isDryRun, ...sender }: CommandEnvelope,
): Promise<Reply<Buffer>> {
  const { request, nested } = call;
  const reading: Read = (ids, accept) => read(readOf(nested, ids, accept), { ...sender, op: 'query' });
  const isShown = request.preferences.return === 'representation';
  const refused = isShown ? await rehearsed(request, reading) : null;
  if (refused !== null) return refused;
  const written = await replyOfBatch(requester, nested.batch, {
    ...{ ...sender, op: 'write-function', reason, isDryRun },
    ...(repeatable !== undefined && { repeatable }),
  });
  if (!isSuccess(written.status)) return placed(written, nested.levels);
  const { operations } = JSON.parse(written.body.toString()) as { operations: readonly BatchAnswer[] };
  const ids = idsOf(nested, operations);
  const reply = {
    ...{ ...written, status: 201, body: Buffer.alloc(0) },
    headers: headersOf(request, written, ids),
  };
  if (!isShown) return reply;
  return nested.batch.isDryRun
    ? withRecords(reply, { ...written, ...previewOf(nested.levels, operations, isOne(request)) })
    : withRecords(reply, await reading(ids, request.accept).catch(replyOfFailure));
}

const isOne = ({ accept }: Call['request']): boolean => negotiated(accept).shape === 'object';

/** Tries the read of the response for an id without a record. Returns the refusal, or null if the response can be made. */
async function rehearsed(request: Call['request'], reading: Read): Promise<Reply<Buffer> | null> {
  const single = isOne(request);
  if (single && request.rows.length !== 1) reject(notOneRow(request.rows.length));
  const reply = await reading([newId()], single ? null : request.accept);
  return isSuccess(reply.status) ? null : reply;
}

function withRecords(reply: Reply<Buffer>, { status, headers, body }: Reply<Buffer>): Reply<Buffer> {
  if (!isSuccess(status)) return refusalReply(notRead(reply.headers['Change-Id']), changeOf(reply));
  const type = headers['Content-Type'] ?? JSON_TYPE;
  return { ...reply, headers: { ...reply.headers, 'Content-Type': type }, body };
}

const changeOf = ({ headers }: Reply<Buffer>): Record<string, string> => {
  const change = headers['Change-Id'];
  return change === undefined ? {} : { 'Change-Id': change };
};

/** The read of the outermost records with these ids, for the response. */
function readOf({ given }: NestedInsert, ids: readonly string[], accept: string | null): RecordsCall {
  const parts = given.query
    .split('&')
    .filter((part) => /^(?:select|order|limit|offset)=|^[^=]*\./.test(part));
  const order = parts.some((part) => part.startsWith('order=')) ? [] : ['order=created_at,id'];
  const timezone = /(?:^|,)\s*(timezone=[^,]*)/.exec(given.headers.prefer ?? '')?.[1];
  const call = recordsCall({
    ...{ method: 'GET', resource: given.resource, body: Buffer.alloc(0) },
    query: [...parts, ...order, `id=in.(${ids.join(',')})`].join('&'),
    headers: { ...(accept !== null && { accept }), ...(timezone !== undefined && { prefer: timezone }) },
  });
  return allSteps(call);
}

/** The ids of the outermost records after the write. */
function idsOf({ levels: [first] }: NestedInsert, [answer]: readonly BatchAnswer[]): readonly string[] {
  const rows = first?.isOuter === true ? (answer?.body as Rows) : (first?.rows ?? []);
  return rows.flatMap(({ id }) => (typeof id === 'string' ? id : []));
}

function headersOf(
  { preferences, resource, rows }: RecordsCall['request'],
  written: Reply<Buffer>,
  [id, ...others]: readonly string[],
): Record<string, string> {
  const effects = { missing: true, returns: preferences.return !== null };
  const applied = appliedPreferences(preferences, effects);
  const replayed = written.headers['Idempotency-Replayed'];
  return {
    ...changeOf(written),
    'Content-Range': contentRange(0, 0, preferences.count === null ? null : rows.length),
    ...(id !== undefined && others.length === 0 && { Location: recordPath(resource, id) }),
    ...(applied !== null && { 'Preference-Applied': applied }),
    ...(replayed !== undefined && { 'Idempotency-Replayed': replayed }),
  };
}

/** The complete records that a dry run would have written, with their inner records. */
function previewOf(
  levels: readonly NestedLevel[],
  operations: readonly BatchAnswer[],
  single: boolean,
): Pick<Reply<Buffer>, 'body'> {
  const written = new Map(levels.map((level, index) => [level, [...(operations[index]?.body as Rows)]]));
  const byNumber = levels.toSorted((one, other) => one.number - other.number);
  for (const level of byNumber.toReversed()) {
    const { within } = level;
    if (within === null) continue;
    const outer = written.get(byNumber[within.level] as NestedLevel) ?? [];
    for (const [at, row] of outer.entries()) {
      const inner = (written.get(level) ?? []).filter((_, index) => within.rows[index] === at);
      outer[at] = { ...row, [within.name]: inner };
    }
  }
  const rows = written.get(byNumber[0] as NestedLevel) ?? [];
  return { body: Buffer.from(JSON.stringify(single ? rows[0] : rows)) };
}

function placed(reply: Reply<Buffer>, levels: readonly NestedLevel[]): Reply<Buffer> {
  const problem = JSON.parse(reply.body.toString()) as Problem;
  return { ...reply, body: Buffer.from(JSON.stringify(inPlace(problem, levels))) };
}

const notRead = (change: string | undefined): Problem =>
  problemFor('PM504', {
    message: 'the records were written, but could not be read for the response',
    details: `Do not repeat the request: the change is ${change ?? 'none'}.`,
  });
