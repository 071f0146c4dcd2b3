// The network loses the response, or the connection is cut at any point. With a key, the write is still carried out exactly once.

import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  answered,
  eventually,
  newPractice,
  rowsOf,
  stack,
  type Answer,
  type Practice,
} from '@practice/testing';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

interface Write {
  readonly key: string;
  readonly vendor: string;
}

const bodyOf = ({ vendor }: Write): string => JSON.stringify({ date: '2026-01-05', amount: 12, vendor });
const prefer = 'return=representation';

/** Sends a write, and never reads the response. */
function sendBlindly(write: Write): Socket {
  const { hostname, port } = new URL(stack().baseUrl);
  const body = bodyOf(write);
  const head = [
    'POST /rest/v1/expenses HTTP/1.1',
    'Host: x',
    `apikey: ${stack().apikey}`,
    `Authorization: Bearer ${practice.token}`,
    'Content-Type: application/json',
    `Prefer: ${prefer}`,
    `Idempotency-Key: ${write.key}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`));
  socket.on('error', () => undefined);
  return socket.pause();
}

const again = (write: Write): Promise<Answer> =>
  practice.rest('expenses', {
    method: 'POST',
    body: bodyOf(write),
    headers: { 'idempotency-key': write.key, 'content-type': 'application/json', prefer },
  });
const settled = (write: Write): Promise<Answer> => answered('a write', () => again(write));
const countOf = async ({ vendor }: Write): Promise<number> =>
  Number((await rowsOf(practice, `expenses?vendor=eq.${vendor}&select=count`))[0]?.['count']);

describe('a write whose connection is cut', () => {
  it('after the commit gets the same response when it is repeated', async () => {
    const write = { key: randomUUID(), vendor: randomUUID() };
    const socket = sendBlindly(write);
    await eventually('it is done', async () => (await countOf(write)) === 1);
    socket.destroy();
    const answer = await again(write);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(answer.json).toEqual([expect.objectContaining({ vendor: write.vendor })]);
    expect(await countOf(write)).toBe(1);
  });

  it('at any moment is executed once, however often it is repeated', async () => {
    const writes = Array.from({ length: 40 }, () => ({ key: randomUUID(), vendor: randomUUID() }));
    await Promise.all(
      writes.map(async (write, index) => {
        const socket = sendBlindly(write);
        await pause(index / 2);
        socket.destroy();
        const answers = [await settled(write), await settled(write)];
        expect(answers.map(({ status }) => status)).toEqual([201, 201]);
        expect(answers[0]?.text).toBe(answers[1]?.text);
        expect(await countOf(write)).toBe(1);
      }),
    );
  });

  it('is refused with another body, and changes nothing', async () => {
    const write = { key: randomUUID(), vendor: randomUUID() };
    const socket = sendBlindly(write);
    await eventually('it is done', async () => (await countOf(write)) === 1);
    socket.destroy();
    const other = { key: write.key, vendor: randomUUID() };
    expect(await again(other)).toMatchObject({ status: 409, json: { code: 'PM005' } });
    expect(await countOf(other)).toBe(0);
  });
});
