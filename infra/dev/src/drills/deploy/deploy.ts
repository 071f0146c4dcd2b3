// An upgrade under load: every process is replaced by its successor while callers read and write. Then the same back.
import { setTimeout as pause } from 'node:timers/promises';
import { upgradeFrom } from '../../dev.config.js';
import { until } from '../../until.js';
import type { ApiAccess } from '../../seed/api.js';
import type { Drill, Drilling } from '../drill.js';
import { findHaproxy, startHaproxy } from '../haproxy.js';
import { signUp, startSystem } from '../system.js';
import { clientsOf, startLoad, type Totals } from './load.js';
import { makeReplicas, type Replicas } from './replicas.js';
import { streamOf } from './stream.js';
import { builtVersion, thisVersion, type Version } from './version.js';

const PRACTICES = 4;
const SETTLED_MS = 2000;
const SEEN_WITHIN = 20_000;

export const deploy: Drill = {
  name: 'deploy',
  title: 'every process is replaced under load, forward and back, and no request fails',
  run: async (drilling) => {
    const program = await findHaproxy();
    const commit = upgradeFrom();
    const previous = commit === undefined ? thisVersion : await builtVersion(commit, drilling.folder);
    const { coordinates, apikey } = await startSystem(
      drilling,
      { TRUSTED_PROXIES: ['127.0.0.1'] },
      { onlyServers: true },
    );
    const replicas = await makeReplicas(coordinates);
    drilling.atEnd(replicas.stop);
    const port = await startHaproxy(drilling, program, {
      ...{ name: 'gateway', config: ['haproxy', 'haproxy.cfg'] },
      servers: replicas.gatewayPorts.map((one) => `127.0.0.1:${one}`),
    });
    const baseUrl = `http://127.0.0.1:${port}`;
    await replicas.start(previous);
    await isServing(baseUrl);
    const practices = await Promise.all(Array.from({ length: PRACTICES }, () => signUp({ baseUrl, apikey })));
    const calls = { drilling, replicas, practices };
    await rollUnderLoad(calls, thisVersion, 'forward');
    await rollUnderLoad(calls, previous, 'back');
  },
};

/** The proxy sends requests once it has asked each gateway. */
const isServing = (baseUrl: string): Promise<unknown> =>
  until(async () => (await fetch(`${baseUrl}/livez`)).ok || undefined, { within: 10_000 });

interface Calls {
  readonly drilling: Drilling;
  readonly replicas: Replicas;
  readonly practices: readonly Required<ApiAccess>[];
}

async function rollUnderLoad(
  { drilling: { check, note }, replicas, practices }: Calls,
  version: Version,
  way: string,
): Promise<void> {
  const before = await Promise.all(practices.map(clientsOf));
  const streams = practices.map(streamOf);
  const load = startLoad(practices);
  await pause(SETTLED_MS);
  const began = performance.now();
  const replaced = await replicas.roll(version);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  await pause(SETTLED_MS);
  const totals = await load.stop();
  note(`${way}, to ${version.name}: ${replaced} processes in ${seconds} s; ${summary(totals)}`);
  check(`${way}: no request failed`, totals.failures.length === 0, totals.failures.slice(0, 10));
  const after = await Promise.all(practices.map(clientsOf));
  const added = after.map((count, index) => count - (before[index] ?? 0));
  check(`${way}: each write was made once`, String(added) === String(totals.clients), [
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
    `${way}: streams of events went on without gaps`,
    isSeen === true,
    streams.map(({ ids }) => ids.length),
  );
  check(`${way}: no event came twice`, twice === 0, twice);
  const refused = streams.flatMap((one) => one.refused);
  const connections = streams.reduce((sum, one) => sum + one.connections(), 0);
  check(`${way}: every stream was opened again at once`, refused.length === 0, refused.slice(0, 5));
  note(`${way}: ${streams.length} streams connected ${connections} times`);
}

const summary = ({ reads, writes, failures, longestOutage, slowest }: Totals): string =>
  `${reads} reads, ${writes} writes, ${failures.length} failures, ` +
  `longest outage ${longestOutage.toFixed(0)} ms, slowest call ${slowest.toFixed(0)} ms`;
