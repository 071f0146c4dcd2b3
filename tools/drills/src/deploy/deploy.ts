// An upgrade under load: every process is replaced by one of the new version while callers read and write. Then back again.
import { until } from '@practice/operator';
import { findHaproxy, startHaproxy } from '@practice/chaos';
import { upgradeFrom } from '../upgrade/upgrade.config.js';
import type { Drill } from '../kit/drill.js';
import { startSystem } from '../kit/system.js';
import { makeReplicas } from './replicas.js';
import { underLoad } from './under-load.js';
import { builtVersion, thisVersion, type Version } from '../kit/version.js';

export const deploy: Drill = {
  name: 'deploy',
  title: 'every process is replaced under load, forward and back, and no request fails',
  run: async (drilling) => {
    const program = await findHaproxy();
    const commit = upgradeFrom();
    const previous = commit === undefined ? thisVersion : await builtVersion(commit, drilling.folder);
    const stack = await startSystem(drilling, { TRUSTED_PROXIES: ['127.0.0.1'] }, { onlyServers: true });
    const replicas = await makeReplicas(stack.coordinates);
    drilling.atEnd(replicas.stop);
    const port = await startHaproxy(drilling, program, {
      name: 'gateway',
      config: ['haproxy', 'haproxy.cfg'],
      servers: replicas.gatewayPorts.map((one) => `127.0.0.1:${one}`),
    });
    const baseUrl = `http://127.0.0.1:${port}`;
    await replicas.start(previous);
    await isServing(baseUrl);
    const system = { ...stack, baseUrl };
    const rollTo = (version: Version) => async (): Promise<string> =>
      `${await replicas.roll(version)} processes, to ${version.name}`;
    await underLoad(drilling, system, { title: 'forward', stack, work: rollTo(thisVersion) });
    await underLoad(drilling, system, { title: 'back', stack, work: rollTo(previous) });
  },
};

/** Waits until the proxy forwards requests: it first checks the gateways. */
const isServing = (baseUrl: string): Promise<unknown> =>
  until(async () => (await fetch(`${baseUrl}/livez`)).ok, { within: 10_000 });
