// A handler of a service that fails: the caller learns only the request id, the log has the error.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, createRequester } from '@practice/messaging';
import type { Connection, Requester } from '@practice/messaging';
import { eventually, stack } from '@practice/testing';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let connection: Connection;
let requester: Requester;

beforeAll(async () => {
  connection = await connect({ url: stack().natsUrl('admin'), name: 'spec', logger: silent });
  requester = createRequester({
    connection,
    user: connection.user,
    instance: randomUUID(),
    timeoutMs: 10_000,
  });
});

afterAll(async () => {
  requester.close();
  await connection.close();
});

describe('a question about records that the service does not own', () => {
  it('fails with the id of the request, under which the log has the error', async () => {
    const requestId = randomUUID();
    const question = JSON.stringify({ resource: 'clients', ids: [randomUUID()] });
    const envelope = { op: 'lookup', therapistId: randomUUID(), requestId };
    const { status, body } = await requester.request('scheduling', envelope, question);
    expect(status).toBe(500);
    expect(JSON.parse(body.toString())).toEqual({
      code: 'XX000',
      message: 'Internal error',
      details: null,
      hint: `Request id ${requestId}`,
    });
    const log = (): string => readFileSync(join(stack().dataDir, 'logs', 'scheduling.log'), 'utf8');
    const lineOf = (): string | undefined =>
      log()
        .split('\n')
        .find((line) => line.includes(requestId));
    await eventually('the error is logged', () => lineOf() !== undefined);
    expect(lineOf()).toContain('clients is not a resource of scheduling');
  });
});
