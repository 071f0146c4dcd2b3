import { expect, it } from '@jest/globals';
import type { Reply, Requester } from '@practice/bus';
import { allSteps, problemFor, Rejection } from '@practice/core';
import type { CommandEnvelope, WireBatch } from '@practice/query';
import { recordsCall } from '../parse/parse.js';
import type { NestedInsert } from '../parse/nested-insert.js';
import { replyOfNested } from './nested-insert.js';

const replied = (body: unknown, headers = {}): Reply<Buffer> => ({
  ...{ status: 200, headers },
  body: Buffer.from(JSON.stringify(body)),
});

/** A service that carries out every batch. */
const requester = {
  request: async (_service: string, _envelope: object, body: string) => {
    const { operations } = JSON.parse(body) as WireBatch;
    const answers = operations.map((operation) => ({ status: 201, body: operation.body }));
    return replied({ operations: answers, results: {}, assumed: [] }, { 'Change-Id': 'clients:1' });
  },
} as unknown as Requester;

const envelope = { op: 'command', requestId: 'r', identity: {} } as unknown as CommandEnvelope;

it('says that the records were written if a service is not available when they are read', async () => {
  const steps = recordsCall({
    ...{ method: 'POST', resource: 'clients', query: '' },
    headers: { 'content-type': 'application/json', prefer: 'return=representation' },
    body: Buffer.from(JSON.stringify({ name: 'Ada', conversation_log: [{ content: 'hello' }] })),
  });
  const { request, nested } = allSteps(steps);
  let reads = 0;
  const read = async (): Promise<Reply<Buffer>> => {
    reads += 1;
    if (reads > 1) throw new Rejection(problemFor('PM503'));
    return replied([]);
  };
  const call = { request, nested: nested as NestedInsert };
  const { status, headers, body } = await replyOfNested({ requester, read }, call, envelope);
  expect([reads, status, headers['Retry-After'], headers['Change-Id']]).toEqual([
    2,
    504,
    undefined,
    'clients:1',
  ]);
  expect(JSON.parse(body.toString())).toMatchObject({
    code: 'PM504',
    details: 'Do not repeat the request: the change is clients:1.',
  });
});
