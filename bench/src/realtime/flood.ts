// Whether the realtime of one busy practice delays others: the heartbeats of calm practices, without and with a practice that
// broadcasts, or that has filters which are expensive to judge.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@practice/dev';
import { percentile } from '../report/statistics.js';
import type { Practice } from '../seed/seed.js';
import { openSocket } from './socket.js';
import type { RealtimeCaller } from './socket.js';

export const realtimeKinds = ['filters', 'broadcasts', 'unread broadcasts'] as const;
export type RealtimeKind = (typeof realtimeKinds)[number];

/** The order of the process that floods. */
export interface RealtimeOrder extends RealtimeCaller {
  readonly kind: RealtimeKind;
}

export interface RealtimeFloodInput {
  readonly stack: Stack;
  readonly hot: Practice;
  readonly calm: readonly Practice[];
  readonly seconds: number;
}

/** A socket may send 100 messages per second. */
const EVERY_MS = 20;
const BEATS_PER_SECOND = 40;
/** After this time, the practice has used up the bytes that it may send at once. */
const BEGINS_MS = 2_000;

/** @returns the p99 of heartbeats in milliseconds, without and with the flood */
export async function measureRealtimeFlood(
  kind: RealtimeKind,
  { stack, hot, calm, seconds }: RealtimeFloodInput,
): Promise<{ readonly alone: number; readonly beside: number }> {
  const { baseUrl, apikey } = stack;
  const callerOf = ({ token }: Practice): RealtimeCaller => ({ origin: baseUrl, apikey, token });
  const sockets = await Promise.all(calm.map((practice) => openSocket(callerOf(practice))));
  const p99 = async (): Promise<number> => {
    const took = await Promise.all(sockets.map(({ beats }) => beats(seconds * BEATS_PER_SECOND, EVERY_MS)));
    return percentile(Float64Array.from(took.flat()).sort(), 0.99);
  };
  const flood = fork(join(import.meta.dirname, 'flood-worker.js'));
  const ended = once(flood, 'exit').then(() => {
    throw new Error(`the flood of ${kind} ended`);
  });
  ended.catch(() => undefined);
  try {
    // The first beats are slower.
    await p99();
    const alone = await p99();
    flood.send({ kind, ...callerOf(hot) } satisfies RealtimeOrder);
    await Promise.race([once(flood, 'message'), ended]);
    await pause(BEGINS_MS);
    return { alone, beside: await Promise.race([p99(), ended]) };
  } finally {
    flood.kill();
    for (const socket of sockets) socket.close();
  }
}
