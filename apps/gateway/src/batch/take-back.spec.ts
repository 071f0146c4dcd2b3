import { expect, it } from '@jest/globals';
import type { Reply, Requester } from '@practice/bus';
import { problemFor } from '@practice/core';
import type { BatchEnvelope } from '@practice/query';
import type { BatchPart } from '../parse/parsed-batch.js';
import { refusalReply } from '../services/failure.js';
import { takenBack } from './take-back.js';

const operation = { number: 1, as: null, method: 'POST', resource: 'clients' };

it('gives a part that is taken back the time of its records', async () => {
  const envelopes: object[] = [];
  const requester = {
    request: async (_service: string, envelope: object): Promise<Reply<Buffer>> => {
      envelopes.push(envelope);
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    },
  } as unknown as Requester;
  const part = { service: 'clients', operations: [operation], records: 1_000 } as unknown as BatchPart;
  const envelope = { op: 'batch', requestId: 'r', records: 1_000 } as unknown as BatchEnvelope;
  const reply = refusalReply(problemFor('PM503'));
  const sent = [{ part, envelope, changeId: undefined }];
  expect(await takenBack(requester, { sent, reply, isRepeatable: false })).toMatchObject({ status: 503 });
  expect(envelopes).toEqual([{ op: 'take-back', requestId: 'r', records: 1_000 }]);
});
