// Callers of a system while it is changed.
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@practice/operator';
import type { ApiAccess } from '@practice/start';
import type { Drilling } from '../kit/drill.js';
import { clientsOf, startLoad, type Totals } from './load.js';
import { streamOf } from './stream.js';

const SETTLED_MS = 2000;
const SEEN_WITHIN = 20_000;

export interface Work {
  readonly title: string;
  /** @returns what was done */
  readonly work: () => Promise<string>;
  /** Whether the only process that keeps streams open is replaced, so that they may be refused meanwhile. */
  readonly mayRefuseStreams?: boolean;
}

/** Works while these practices read, write and receive events, and checks that no request fails and no event is lost. */
export async function underLoad(
  { check, note }: Drilling,
  practices: readonly Required<ApiAccess>[],
  { title, work, mayRefuseStreams = false }: Work,
): Promise<void> {
  const before = await Promise.all(practices.map(clientsOf));
  const streams = practices.map(streamOf);
  const load = startLoad(practices);
  await pause(SETTLED_MS);
  const began = performance.now();
  const done = await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  await pause(SETTLED_MS);
  const totals = await load.stop();
  note(`${title}: ${done} in ${seconds} s; ${summary(totals)}`);
  check(`${title}: no request failed`, totals.failures.length === 0, totals.failures.slice(0, 10));
  const after = await Promise.all(practices.map(clientsOf));
  const added = after.map((count, index) => count - (before[index] ?? 0));
  check(`${title}: each write was made once`, String(added) === String(totals.clients), [
    added,
    totals.clients,
  ]);
  const isSeen = await until(
    async () => streams.every(({ ids }, index) => ids.length === after[index]) || undefined,
    { within: SEEN_WITHIN },
  );
  await Promise.all(streams.map(({ stop }) => stop()));
  const twice = streams.filter(({ ids }) => new Set(ids).size !== ids.length).length;
  check(
    `${title}: streams of events went on without gaps`,
    isSeen === true,
    streams.map(({ ids }) => ids.length),
  );
  check(`${title}: no event came twice`, twice === 0, twice);
  const refused = streams.flatMap((one) => one.refused);
  const connections = streams.reduce((sum, one) => sum + one.connections(), 0);
  if (!mayRefuseStreams)
    check(`${title}: every stream was opened again at once`, refused.length === 0, refused.slice(0, 5));
  note(`${title}: ${streams.length} streams connected ${connections} times`);
}

const summary = ({ reads, writes, failures, longestOutage, slowest }: Totals): string =>
  `${reads} reads, ${writes} writes, ${failures.length} failures, ` +
  `longest outage ${longestOutage.toFixed(0)} ms, slowest call ${slowest.toFixed(0)} ms`;
