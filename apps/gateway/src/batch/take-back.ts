// Takes back the parts of a batch that has failed, the last one first.

import { setTimeout as pause } from 'node:timers/promises';
import type { Reply, Requester } from '@practice/bus';
import { isServerError, isSuccess } from '@practice/core';
import type { BatchEnvelope, WireTakeBack } from '@practice/query';
import { replyOfFailure } from '../services/failure.js';
import type { BatchPart } from '../parse/parsed-batch.js';

/** A part that was sent to its service. */
export interface Sent {
  readonly part: BatchPart;
  readonly envelope: BatchEnvelope;
  /** The change that it has made, if that is known. */
  readonly changeId: string | undefined;
}

/** A part that may still be there, and why. */
export interface Kept {
  readonly sent: Sent;
  readonly reply: Reply<Buffer>;
}

/** The parts of a batch, and the reply of the last one. */
export interface Failure {
  readonly sent: readonly Sent[];
  readonly reply: Reply<Buffer>;
  /** Whether the caller has given a key. */
  readonly isRepeatable: boolean;
}

/** How long a service that does not reply is asked again. */
const ASK_FOR_MS = 8_000;
const ASK_AGAIN_MS = 500;

/**
 * Takes back every part. The last one too, unless its service has refused it: it may have been carried out, or may be later.
 * @param answer the answer of the batch if some parts could not be taken back: repetitions get it too
 * @returns the parts that could not be taken back
 */
export async function takenBack(
  requester: Requester,
  { sent, reply }: Failure,
  answer: (kept: readonly Kept[]) => Reply<Buffer>,
): Promise<Kept[]> {
  const kept: Kept[] = [];
  const all = isServerError(reply.status) ? sent : sent.slice(0, -1);
  for (const one of all.toReversed()) {
    const isLast = one === sent[0] && kept.length > 0;
    const { status, body } = answer(kept);
    const replacement = isLast ? { status, body: body.toString() } : null;
    const taken = await ask(requester, one, { replacement });
    if (!isSuccess(taken.status)) kept.push({ sent: one, reply: taken });
  }
  return kept;
}

async function ask(
  requester: Requester,
  { part, envelope }: Sent,
  wire: WireTakeBack,
): Promise<Reply<Buffer>> {
  const until = Date.now() + ASK_FOR_MS;
  for (;;) {
    const own = { ...envelope, op: 'take-back', records: undefined };
    const reply = await requester.request(part.service, own, JSON.stringify(wire)).catch(replyOfFailure);
    if (!isServerError(reply.status) || Date.now() + ASK_AGAIN_MS > until) return reply;
    await pause(ASK_AGAIN_MS);
  }
}
