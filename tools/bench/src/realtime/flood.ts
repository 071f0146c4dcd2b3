// Measures whether the realtime of one busy practice delays others: it times the heartbeats of calm practices, without and with a
// practice that broadcasts or has expensive filters.

import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@practice/start';
import { latencyOf } from '../report/statistics.js';
import type { Practice } from '../seed/seed.js';
import { openSocket, type RealtimeCaller } from './socket.js';
import { startWorker } from '../worker.js';

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
    return latencyOf(took.flat()).p99;
  };
  const flood = startWorker<RealtimeOrder, never>('realtime/flood-worker');
  try {
    // The first beats are slower.
    await p99();
    const alone = await p99();
    let begun = (): void => undefined;
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const ended = flood.ask({ kind, ...callerOf(hot) }, begun);
    await Promise.race([begins, ended]);
    await pause(BEGINS_MS);
    return { alone, beside: await Promise.race([p99(), ended]) };
  } finally {
    flood.stop();
    for (const socket of sockets) socket.close();
  }
}
