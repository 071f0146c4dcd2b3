// Carries out a batch: each part is one transaction of its service. If a part is refused, or its outcome is unknown,
// all parts are taken back in reverse order, by the keys of their messages. See ADR 0064.

import { randomUUID } from 'node:crypto';
import type { Reply, Requester } from '@practice/bus';
import { isSuccess } from '@practice/core';
import type { AssumedRecord, BatchAnswer, BatchResult, FunctionEnvelope, Repeatable } from '@practice/query';
import type { BatchEnvelope, WireBatch, WireBatchReply } from '@practice/query';
import { JSON_TYPE } from '../http/responses.js';
import { headersOfParts, replyOfFailure } from '../services/failure.js';
import type { BatchPart, ParsedBatch } from '../parse/parsed-batch.js';
import { takenBack, type Sent } from './take-back.js';

/** The parts that were carried out so far. */
interface Progress {
  readonly answers: BatchAnswer[];
  readonly results: Record<string, BatchResult>;
  readonly assumed: AssumedRecord[];
  readonly sent: Sent[];
  readonly replies: Reply<Buffer>[];
}

/** @returns the answer of the batch, or its refusal */
export async function replyOfBatch(
  requester: Requester,
  batch: ParsedBatch,
  envelope: FunctionEnvelope,
): Promise<Reply<Buffer>> {
  const { parts, isDryRun } = batch;
  const progress: Progress = { answers: [], results: {}, assumed: [], sent: [], replies: [] };
  const keys = keysOf(batch, envelope.repeatable);
  for (const [index, part] of parts.entries()) {
    const own = envelopeOf(envelope, part, keys?.(index));
    const body = JSON.stringify(messageOf(batch, part, progress));
    const reply = await requester.request(part.service, own, body).catch(replyOfFailure);
    progress.sent.push({ part, envelope: own, changeId: reply.headers['Change-Id'] });
    if (isSuccess(reply.status)) keep(progress, reply);
    else if (parts.length === 1 || isDryRun) return reply;
    else
      return takenBack(requester, {
        sent: progress.sent,
        reply,
        isRepeatable: envelope.repeatable !== undefined,
      });
  }
  return answerOf(batch, progress);
}

/** The keys of the parts. Each of several parts has a key even if the caller gave none, so that its outcome can be looked up. */
function keysOf(
  { parts, isDryRun }: ParsedBatch,
  given: Repeatable | undefined,
): ((index: number) => Repeatable) | undefined {
  if (isDryRun || (parts.length === 1 && given === undefined)) return undefined;
  const attempt = randomUUID();
  const { key, hash } = given ?? { key: `batch ${attempt}`, hash: '' };
  // A batch of one part is never taken back.
  const own = parts.length === 1 ? { hash } : { hash, attempt };
  // No key of a caller contains a line break.
  return (index) => ({ key: index === 0 ? key : `${key}\npart ${index + 1}`, ...own });
}

const envelopeOf = (
  { op: _, ifMatch: __, repeatable: ___, ...envelope }: FunctionEnvelope,
  { records }: BatchPart,
  repeatable: Repeatable | undefined,
): BatchEnvelope => ({ ...envelope, op: 'batch', records, ...(repeatable !== undefined && { repeatable }) });

const messageOf = (
  { names, isDryRun, nested, filled = (given) => given }: ParsedBatch,
  { operations }: BatchPart,
  { results, assumed, answers }: Progress,
): WireBatch => ({
  ...{ operations: filled(operations, answers), names, results, assumed, isDryRun },
  ...(nested !== undefined && { nested }),
});

function keep(progress: Progress, reply: Reply<Buffer>): void {
  const { operations, results, assumed } = JSON.parse(reply.body.toString()) as WireBatchReply;
  progress.answers.push(...operations);
  Object.assign(progress.results, results);
  progress.assumed.push(...assumed);
  progress.replies.push(reply);
}

function answerOf({ parts, isDryRun }: ParsedBatch, { answers, replies }: Progress): Reply<Buffer> {
  return {
    status: 200,
    headers: {
      'Content-Type': JSON_TYPE,
      ...(isDryRun && { 'Preference-Applied': 'tx=rollback' }),
      ...headersOfParts(replies, parts.length),
    },
    body: Buffer.from(
      JSON.stringify({ atomic: parts.length === 1 ? 'service' : 'compensated', operations: answers }),
    ),
  };
}
