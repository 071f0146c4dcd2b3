import { expect, it } from '@jest/globals';
import type { Reply, Requester } from '@practice/bus';
import { type Problem, problemFor } from '@practice/core';
import type { BatchEnvelope } from '@practice/query';
import type { BatchPart } from '../parse/parsed-batch.js';
import { refusalReply } from '../services/failure.js';
import { takenBack } from './take-back.js';

/** The messages that take a batch of two parts back after this problem of the second part. */
async function takingBack(problem: Problem): Promise<object[]> {
  const messages: object[] = [];
  const requester = {
    request: async (service: string, envelope: object, body: string): Promise<Reply<Buffer>> => {
      messages.push({ service, ...envelope, ...(JSON.parse(body) as object) });
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    },
  } as unknown as Requester;
  const sent = ['clients', 'scheduling'].map((service, index) => {
    const operations = [{ number: index + 1, as: null, method: 'POST', resource: service }];
    const part = { service, operations, records: 1_000 } as unknown as BatchPart;
    const envelope = { op: 'batch', requestId: 'r', records: 1_000 } as unknown as BatchEnvelope;
    return { part, envelope, changeId: undefined };
  });
  const reply = refusalReply(problem);
  expect(await takenBack(requester, { sent, reply, isRepeatable: true })).toMatchObject({
    status: problem.status,
  });
  return messages;
}

const message = { op: 'take-back', requestId: 'r', records: 1_000, replacement: null };
const first = { ...message, service: 'clients' };

it('a refusal takes everything back, in the time that its records need', async () => {
  expect(await takingBack(problemFor('23514'))).toEqual([{ ...first, onlyOwn: false }]);
});

it('a failure that may pass leaves what other attempts have made or repeated', async () => {
  expect(await takingBack(problemFor('PM503'))).toEqual([
    { ...message, service: 'scheduling', onlyOwn: true },
    { ...first, onlyOwn: true },
  ]);
  expect(await takingBack(problemFor('PM005'))).toEqual([{ ...first, onlyOwn: true }]);
});
