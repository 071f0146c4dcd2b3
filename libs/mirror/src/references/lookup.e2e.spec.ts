// When a handler of a service fails, the caller learns only the request id. The log has the error.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, createRequester, type Connection, type Requester } from '@practice/bus';
import { logLines, stack } from '@practice/testing';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let connection: Connection;
let requester: Requester;

beforeAll(async () => {
  connection = await connect({ url: stack().natsUrl('admin'), name: 'spec', logger: silent });
  requester = createRequester({
    connection,
    user: connection.user,
    timeoutMs: 10_000,
  });
});

afterAll(async () => {
  requester.close();
  await connection.close();
});

interface Asked {
  readonly resource: string;
  readonly column?: string;
  readonly ids: readonly string[];
}

const ask = (requestId: string, question: Asked) =>
  requester.request(
    'scheduling',
    { op: 'lookup', therapistId: randomUUID(), requestId },
    JSON.stringify(question),
  );

describe('a question about records that the service does not own', () => {
  it('fails with the id of the request, under which the log has the error', async () => {
    const requestId = randomUUID();
    const { status, body } = await ask(requestId, { resource: 'clients', ids: [randomUUID()] });
    expect(status).toBe(500);
    expect(JSON.parse(body.toString())).toEqual({
      code: 'XX000',
      message: 'Internal error',
      details: null,
      hint: `Request id ${requestId}`,
    });
    expect(await logLines('scheduling', requestId)).toEqual([
      expect.stringContaining('clients is not a resource of scheduling'),
    ]);
  });
});

describe('a question by a column', () => {
  it('fails unless the resource has the column', async () => {
    const requestId = randomUUID();
    const column = `id" = ANY ($2) OR "id`;
    const { status } = await ask(requestId, { resource: 'appointments', column, ids: [randomUUID()] });
    expect(status).toBe(500);
    expect(await logLines('scheduling', requestId)).toEqual([
      expect.stringContaining('appointments has no column like that to look up by'),
    ]);
  });
});
