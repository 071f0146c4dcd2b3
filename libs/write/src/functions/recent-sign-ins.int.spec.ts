import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, createRequester, type Connection, type Requester } from '@practice/bus';
import { Rejection } from '@practice/core';
import { createLogger } from '@practice/process';
import { stack } from '@practice/testing';
import { RecentSignIns } from './recent-sign-ins.js';

let connection: Connection;
let requester: Requester;
beforeAll(async () => {
  const logger = createLogger('spec', 'silent');
  connection = await connect({ url: stack().natsUrl('clients'), name: 'spec', logger });
  requester = createRequester({ connection, user: 'clients', timeoutMs: 10_000 });
});
afterAll(async () => {
  requester.close();
  await connection.close();
});

it('a proof is checked only as long as the caller of the function waits', async () => {
  const person = { therapistId: randomUUID(), userId: randomUUID(), sessionId: randomUUID() };
  const asked = async (deadline: number): Promise<string> => {
    const proof = { current_password: null, nonce: null };
    const call = { requestId: 'spec', deadline };
    const caller = { ...person, practiceRole: 'owner' } as const;
    const refusal: unknown = await new RecentSignIns(requester).require(caller, proof, call).catch((e) => e);
    return refusal instanceof Rejection ? refusal.problem.code : String(refusal);
  };
  expect(await asked(Date.now() + 10_000)).toBe('session_not_found');
  expect(await asked(Date.now())).toBe('PM503');
});
