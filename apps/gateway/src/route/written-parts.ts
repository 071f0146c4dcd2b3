// Calls that write of functions that several services carry out. Each part happens as a whole or not at all; the
// response lists the rows of all parts, and one row with the reason for each part that failed.

import { isSuccess, Rejection, unknownButRepeatable, unknownOutcome } from '@practice/core';
import { problemReply } from '@practice/bus';
import type { Reply, Requester } from '@practice/bus';
import { entries, resultColumns } from '@practice/resource';
import type { FunctionEnvelope } from '@practice/query';
import type { FunctionCall } from '../parse/function-call.js';
import { arrayOf, rowsIn } from './rows.js';

interface Part {
  readonly service: string;
  readonly reply: Reply<Buffer>;
}

/** https://www.rfc-editor.org/rfc/rfc4918#section-11.1 */
const MULTI_STATUS = 207;

/** 23503: a record refers to one that is not there, or is referred to. Another part may change that. */
const REFERENCE = '"23503"';

/**
 * Asks each of the services for its part, one after another. A part that was refused because of a reference is asked for once more
 * when other parts are done.
 * @returns 200 with the rows of all parts; 207 if some parts failed; if all did, the failure of one whose outcome is unknown, or the
 *   first one
 */
export async function replyOfWrittenParts(
  requester: Requester,
  call: FunctionCall,
  envelope: FunctionEnvelope,
): Promise<Reply<Buffer>> {
  const ask = async (service: string, sent: FunctionEnvelope): Promise<Part> => ({
    service,
    reply: await requester.request(service, sent, call.body).catch(replyOfFailure),
  });
  const parts: Part[] = [];
  for (const service of call.services) parts.push(await ask(service, envelope));
  for (const [index, { service, reply }] of parts.entries())
    if (reply.body.includes(REFERENCE) && reply.status === 409 && parts.some(isDone))
      parts[index] = await ask(service, asSecond(envelope));
  const done = parts.filter(isDone);
  const [first] = done;
  if (first !== undefined) return merged(call, { parts, done, first: first.reply });
  return (parts.find(isUnknown) ?? (parts[0] as Part)).reply;
}

const isDone = ({ reply }: Part): boolean => isSuccess(reply.status);

/** A part that may have been carried out. The others were not. */
const isUnknown = ({ reply }: Part): boolean =>
  [unknownOutcome, unknownButRepeatable].some(({ message }) => reply.body.includes(message));

/** A refusal is kept under the key of a request, so the second question has a key of its own. */
const asSecond = ({ repeatable, ...envelope }: FunctionEnvelope): FunctionEnvelope => ({
  ...envelope,
  ...(repeatable !== undefined && { repeatable: { ...repeatable, key: `${repeatable.key} (second)` } }),
});

function replyOfFailure(error: unknown): Reply<Buffer> {
  if (!(error instanceof Rejection)) throw error;
  const { body, ...reply } = problemReply(error.problem);
  return { ...reply, body: Buffer.from(body) };
}

function merged(
  call: FunctionCall,
  {
    parts,
    done,
    first,
  }: { readonly parts: readonly Part[]; readonly done: readonly Part[]; readonly first: Reply<Buffer> },
): Reply<Buffer> {
  const rows = parts.map((part) => (done.includes(part) ? rowsIn(part.reply) : failureOf(call, part)));
  const listed = (name: string): string[] => done.flatMap(({ reply }) => reply.headers[name] ?? []);
  const changes = listed('Change-Id');
  const { 'Content-Range': _, 'Idempotency-Replayed': __, ...headers } = first.headers;
  return {
    status: done.length === parts.length ? first.status : MULTI_STATUS,
    headers: {
      ...headers,
      ...(changes.length === 0 ? {} : { 'Change-Id': changes.join(', ') }),
      // Replayed as a whole: a part that was not answered before may have been carried out now.
      ...(listed('Idempotency-Replayed').length === parts.length ? { 'Idempotency-Replayed': 'true' } : {}),
    },
    body: Buffer.from(arrayOf(rows)),
  };
}

function failureOf({ definition }: FunctionCall, { service, reply }: Part): string {
  const problem: unknown = JSON.parse(reply.body.toString());
  const empty = Object.fromEntries(entries(resultColumns(definition)).map(([name]) => [name, null]));
  return JSON.stringify({ ...empty, service, problem });
}
