// Takes back the parts of a failed batch, the last part first. The answer is the refusal of the failed operation, and
// it names the parts that could not be taken back.

import { setTimeout as pause } from 'node:timers/promises';
import type { Reply, Requester } from '@practice/bus';
import { isServerError, isSuccess, type Problem, problemFor } from '@practice/core';
import { unknownButRepeatable, unknownOutcome } from '@practice/core';
import { type BatchEnvelope, ofOperation, type WireTakeBack } from '@practice/query';
import { isUnknown, refusalReply, replyOfFailure } from '../services/failure.js';
import type { BatchPart } from '../parse/parsed-batch.js';

/** A part that was sent to its service. */
export interface Sent {
  readonly part: BatchPart;
  readonly envelope: BatchEnvelope;
  /** The id of the change that the part has made, if it is known. */
  readonly changeId: string | undefined;
}

/** A part that could not be taken back, and the reply with the reason. */
interface Kept {
  readonly sent: Sent;
  readonly reply: Reply<Buffer>;
}

/** The parts of a failed batch that were sent, and the reply to the last of them. */
export interface Failure {
  readonly sent: readonly Sent[];
  readonly reply: Reply<Buffer>;
  /** Whether the caller has sent an Idempotency-Key. */
  readonly isRepeatable: boolean;
}

/** How long a request to a service that does not reply is repeated. */
const ASK_FOR_MS = 8_000;
const ASK_AGAIN_MS = 500;

/**
 * Takes back every part. This includes the last part unless its service has refused it, since it may have been carried out or may still be.
 * After a failure that may pass, parts stay that other attempts under the key have made or repeated: these go on, or were answered.
 * @returns the answer of the batch. If some parts could not be taken back, repetitions of the batch get the same answer
 */
export async function takenBack(requester: Requester, failure: Failure): Promise<Reply<Buffer>> {
  const { sent, reply } = failure;
  const kept: Kept[] = [];
  const all = isServerError(reply.status) ? sent : sent.slice(0, -1);
  // With PM005, another attempt still runs, or its response was erased.
  const onlyOwn = isServerError(reply.status) || readProblem(reply).code === 'PM005';
  for (const one of all.toReversed()) {
    const isLast = one === sent[0] && kept.length > 0;
    const { status, body } = refusedBatch(failure, kept);
    const replacement = isLast ? { status, body: body.toString() } : null;
    const taken = await ask(requester, one, { replacement, onlyOwn });
    if (!isSuccess(taken.status)) kept.push({ sent: one, reply: taken });
  }
  return refusedBatch(failure, kept);
}

async function ask(
  requester: Requester,
  { part, envelope }: Sent,
  wire: WireTakeBack,
): Promise<Reply<Buffer>> {
  const until = Date.now() + ASK_FOR_MS;
  for (;;) {
    const own = { ...envelope, op: 'take-back' };
    const reply = await requester.request(part.service, own, JSON.stringify(wire)).catch(replyOfFailure);
    if (!isServerError(reply.status) || Date.now() + ASK_AGAIN_MS > until) return reply;
    await pause(ASK_AGAIN_MS);
  }
}

/** The refusal of the batch. Its details and `Change-Id` name the changes that could not be taken back. */
function refusedBatch(failure: Failure, kept: readonly Kept[]): Reply<Buffer> {
  const problem = withKept(problemOf(failure, kept), kept);
  const changes = kept.flatMap(({ sent: { changeId } }) => changeId ?? []).reverse();
  return refusalReply(problem, changes.length > 0 ? { 'Change-Id': changes.join(', ') } : {});
}

function problemOf({ sent, reply, isRepeatable }: Failure, kept: readonly Kept[]): Problem {
  const last = sent.at(-1) as Sent;
  const [operation] = last.part.operations as [(typeof last.part.operations)[number]];
  if (!isServerError(reply.status)) return readProblem(reply);
  const isOpen = kept.some(({ sent: one }) => one === last);
  if (isUnknown(reply) && isOpen)
    return ofOperation(isRepeatable ? unknownButRepeatable : unknownOutcome, operation);
  const { details: _, ...problem } = isUnknown(reply) ? noAnswer(last) : readProblem(reply);
  // A repetition without a key would repeat the parts that could not be taken back.
  const { 'Retry-After': after, ...headers } = problem.headers ?? {};
  const mayRepeat = after !== undefined && (kept.length === 0 || isRepeatable);
  return ofOperation(
    { ...problem, headers: { ...headers, ...(mayRepeat && { 'Retry-After': after }) } },
    operation,
  );
}

const noAnswer = ({ part: { service } }: Sent): Problem =>
  problemFor('PM503', {
    message: `The ${service} service did not reply in time`,
    headers: { 'Retry-After': '1' },
  });

/** The headers of a reply that are part of its problem. */
const OWN_HEADERS = ['Retry-After', 'Allow'];

function readProblem({ status, headers, body }: Reply<Buffer>): Problem {
  const own = Object.entries(headers).filter(([name]) => OWN_HEADERS.includes(name));
  return { ...(JSON.parse(body.toString()) as Problem), status, headers: Object.fromEntries(own) };
}

function withKept(problem: Problem, kept: readonly Kept[]): Problem {
  if (kept.length === 0) return problem;
  const left = kept.map(sentenceOf).reverse().join(' ');
  return {
    ...problem,
    details: withSentence(problem.details ?? '', left),
    hint: 'Take the changes that are left back by rpc/undo, or go on from them.',
  };
}

const withSentence = (
  details: NonNullable<Problem['details']>,
  left: string,
): NonNullable<Problem['details']> =>
  typeof details === 'string' ? `${details} ${left}`.trim() : [...details, { about: left }];

function sentenceOf({ sent: { part, changeId }, reply }: Kept): string {
  const numbers = part.operations.map(({ number }) => number);
  const [first, last] = [numbers[0], numbers.at(-1)];
  const which = first === last ? `operation ${first}` : `operations ${first} to ${last}`;
  const change = changeId === undefined ? '' : ` (change ${changeId})`;
  const { message } = readProblem(reply);
  return `Not taken back: ${which} in ${part.service}${change}: ${message}.`;
}
