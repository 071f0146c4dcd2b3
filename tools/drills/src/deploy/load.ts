// Callers that never repeat a request: whatever they do not get answered as expected is a failure of the upgrade.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@practice/process';
import type { Answer, ApiAccess } from '@practice/start';
import { callAs, rowsOf } from '../kit/call.js';

export interface Load {
  /** Ends the calls. Resolves when the last one is answered. */
  readonly stop: () => Promise<Totals>;
}

export interface Totals {
  readonly reads: number;
  readonly writes: number;
  /** Calls that were not answered as expected: a line for each. */
  readonly failures: readonly string[];
  /** From the first to the last failure in a row of one caller, in milliseconds. */
  readonly longestOutage: number;
  /** Milliseconds of the slowest call. */
  readonly slowest: number;
  /** Clients that each practice must have, in the order of the practices. */
  readonly clients: readonly number[];
}

const PAUSE_MS = 25;

interface Counted {
  reads: number;
  writes: number;
  failures: string[];
  longestOutage: number;
  slowest: number;
}

/** Each practice has a caller that reads and one that writes, one call at a time. */
export function startLoad(practices: readonly Required<ApiAccess>[]): Load {
  const counted: Counted = { reads: 0, writes: 0, failures: [], longestOutage: 0, slowest: 0 };
  const clients = practices.map(() => 0);
  let isEnding = false;
  const repeat = async (kind: 'reads' | 'writes', turn: (round: number) => Promise<void>): Promise<void> => {
    let failingSince: number | undefined;
    for (let round = 0; !isEnding; round++) {
      const began = performance.now();
      try {
        await turn(round);
        failingSince = undefined;
      } catch (error) {
        failingSince ??= began;
        counted.longestOutage = Math.max(counted.longestOutage, performance.now() - failingSince);
        counted.failures.push(`${new Date().toISOString()} ${kind}: ${messageOf(error)}`);
      }
      counted[kind] += 1;
      counted.slowest = Math.max(counted.slowest, performance.now() - began);
      await pause(PAUSE_MS);
    }
  };
  const callers = practices.flatMap((practice, index) => [
    repeat('reads', readTurn(practice)),
    repeat(
      'writes',
      writeTurn(practice, () => (clients[index] = (clients[index] ?? 0) + 1)),
    ),
  ]);
  return {
    stop: async () => {
      isEnding = true;
      await Promise.all(callers);
      return { ...counted, clients };
    },
  };
}

const reads = [
  'GET clients?limit=5',
  'GET appointments?limit=5',
  'GET expenses?limit=5',
  'POST rpc/my_practices',
];

const readTurn = (practice: ApiAccess): ((round: number) => Promise<void>) => {
  const call = callAs(practice);
  return async (round) => {
    const target = reads[round % reads.length] as string;
    expectStatus(await call(target, target.startsWith('POST') ? {} : undefined), 200);
  };
};

/** Creates a client, changes it, adds an expense. @param onClient called for each client that was created */
function writeTurn(practice: ApiAccess, onClient: () => void): (round: number) => Promise<void> {
  const call = callAs(practice);
  let client: string | undefined;
  return async (round) => {
    const key = { 'idempotency-key': randomUUID() };
    if (round % 3 === 0 || client === undefined) {
      const id = randomUUID();
      expectStatus(await call('POST clients', { id, name: `Client ${round}` }, key), 201);
      client = id;
      onClient();
    } else if (round % 3 === 1)
      expectStatus(await call(`PATCH clients?id=eq.${client}`, { name: `Renamed ${round}` }, key), 204);
    else expectStatus(await call('POST expenses', { date: '2030-01-02', amount: round }, key), 201);
  };
}

function expectStatus({ status, text }: Answer, wanted: number): void {
  if (status !== wanted) throw new Error(`${status} instead of ${wanted}: ${text.slice(0, 200)}`);
}

/** The number of clients that a practice has. */
export async function clientsOf(practice: ApiAccess): Promise<number> {
  const answer = await callAs(practice)('GET clients?select=id&limit=10000');
  expectStatus(answer, 200);
  return rowsOf(answer);
}
