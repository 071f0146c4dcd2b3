// Bytes of any kind against a running gateway with little room: none is a 500, none hangs, and nothing is left behind.

import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call, newPractice, stack } from '@practice/testing';
import type { Practice } from '@practice/testing';
import fc from 'fast-check';
import { requestBytes } from './bytes.js';
import { fuzzing } from './fuzz.config.js';

/** A request that would never be given back would soon leave no room for the others. */
const ROOM = 32;
const AT_ONCE = 8;
const ANSWERED_WITHIN_MS = 20_000;
const MOST_GROWTH = 200 * 2 ** 20;

let gateway: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
let practice: Practice;
beforeAll(async () => {
  gateway = await stack().spawnProcess('gateway', {
    MAX_IN_FLIGHT: String(ROOM),
    HEADERS_TIMEOUT_SECONDS: '1',
    REQUEST_TIMEOUT_SECONDS: '2',
  });
  practice = await newPractice(gateway.origin);
}, 60_000);
afterAll(() => gateway.stop());

function answersTo(bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(gateway.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    const hanging = setTimeout(() => reject(new Error(`no end of the answer ${text}`)), ANSWERED_WITHIN_MS);
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    // Bytes sent after a refused request meet a closed connection.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(hanging);
      resolve(text);
    });
  });
}

function judge(bytes: Buffer, answers: string): void {
  const shown = bytes.toString('latin1');
  const statuses = [...answers.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  const isUpgrade = /^Connection: Upgrade/m.test(shown);
  if (statuses.length === 0 && isUpgrade) return;
  const isGood = statuses.length > 0 && statuses.every((status) => status < 500);
  expect({ shown, answers: isGood ? '' : answers }).toEqual({ shown, answers: '' });
  expect(answers).not.toMatch(/node_modules|\bat \w+ \(|SELECT |INSERT INTO/);
}

/** Resident bytes; 0 if the system does not report them. */
function residentBytes(): number {
  const file = `/proc/${gateway.pid}/statm`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) * 4096 : 0;
}

const { numRuns, seed } = fuzzing();

it(`survives ${numRuns} requests of any kind`, async () => {
  const { apikey } = stack();
  const all = fc.sample(requestBytes({ apikey, token: practice.token }), { numRuns, seed });
  const before = residentBytes();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let bytes = all[next++]; bytes !== undefined; bytes = all[next++])
      judge(bytes, await answersTo(bytes));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker)).catch((error: unknown) => {
    throw new Error(`seed ${seed}, request ${next}`, { cause: error });
  });
  expect(residentBytes() - before).toBeLessThan(MOST_GROWTH);

  const last = await Promise.all(Array.from({ length: ROOM }, () => practice.rest('clients?select=count')));
  expect(last.map(({ status }) => status)).toEqual(Array<number>(ROOM).fill(200));
  expect((await call('/readyz', { origin: gateway.origin })).status).toBe(200);
}, 1_800_000);
