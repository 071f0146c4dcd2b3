// Functions of several services that read: each service returns its rows, and the first service selects from all of them.

import type { Reply, Requester } from '@practice/bus';
import { isSuccess } from '@practice/core';
import type { FunctionEnvelope } from '@practice/query';
import { entries, resultColumns } from '@practice/resource';
import type { FunctionCall } from '../parse/function-call.js';
import { headersOfParts, isUnknown, replyOfFailure } from '../services/failure.js';

/** The rows of a reply that is a JSON array, without its brackets. */
const rowsIn = ({ body }: Reply<Buffer>): string => body.toString().trim().slice(1, -1).trim();

/** A JSON array of rows. @param rows any number of rows in each text */
const arrayOf = (rows: readonly string[]): string => `[${rows.filter((text) => text !== '').join(',')}]`;

const OK = 200;

/**
 * The response, or the first refusal of a part.
 * @throws {Rejection} PM503 if a service is not available: a result without its rows would be wrong
 */
export async function replyOfReadParts(
  requester: Requester,
  { services, body }: FunctionCall,
  envelope: FunctionEnvelope,
): Promise<Reply<Buffer>> {
  const asked: FunctionEnvelope = { ...envelope, op: 'function-part' };
  const parts = await Promise.all(services.map((service) => requester.request(service, asked, body)));
  const refused = parts.find(({ status }) => status !== OK);
  if (refused !== undefined) return refused;
  const [first = ''] = services;
  return requester.request(first, envelope, `${body}\n${arrayOf(parts.map(rowsIn))}`);
}

// Functions of several services that write. Each part is carried out as a whole or not at all. The response lists the
// rows of all parts, and one row with the reason for each part that failed.

interface Part {
  readonly service: string;
  readonly reply: Reply<Buffer>;
}

/** https://www.rfc-editor.org/rfc/rfc4918#section-11.1 */
const MULTI_STATUS = 207;

/** 23503: a record refers to a missing record, or another record refers to it. Another part may change that. */
const REFERENCE = '"23503"';

/**
 * Asks each of the services for its part, one after another. A part that was refused because of a reference is tried
 * once more after other parts have succeeded.
 * @returns 200 with the rows of all parts; 207 if some parts failed; if all failed, the failure whose outcome is
 *   unknown, or else the first failure
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
  const first = parts.find(isDone);
  if (first !== undefined) return merged(call, parts, first.reply);
  return (parts.find(({ reply }) => isUnknown(reply)) ?? (parts[0] as Part)).reply;
}

const isDone = ({ reply }: Part): boolean => isSuccess(reply.status);

/** The service stores a refusal under the key of the request, so the second attempt has its own key, which no caller can send. */
const asSecond = ({ repeatable, ...envelope }: FunctionEnvelope): FunctionEnvelope => ({
  ...envelope,
  ...(repeatable !== undefined && { repeatable: { ...repeatable, key: `${repeatable.key}\nsecond` } }),
});

/** @param first the first reply of a part that is done */
function merged(call: FunctionCall, parts: readonly Part[], first: Reply<Buffer>): Reply<Buffer> {
  const done = parts.filter(isDone);
  const rows = parts.map((part) => (done.includes(part) ? rowsIn(part.reply) : failureOf(call, part)));
  const replies = done.map(({ reply }) => reply);
  const { 'Content-Range': _, 'Idempotency-Replayed': __, ...headers } = first.headers;
  return {
    status: done.length === parts.length ? first.status : MULTI_STATUS,
    headers: { ...headers, ...headersOfParts(replies, parts.length) },
    body: Buffer.from(arrayOf(rows)),
  };
}

function failureOf({ definition }: FunctionCall, { service, reply }: Part): string {
  const problem: unknown = JSON.parse(reply.body.toString());
  const empty = Object.fromEntries(entries(resultColumns(definition)).map(([name]) => [name, null]));
  return JSON.stringify({ ...empty, service, problem });
}
