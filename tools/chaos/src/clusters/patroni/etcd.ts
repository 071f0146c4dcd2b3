import { join } from 'node:path';
import { freePort } from '@practice/operator';
import type { Means } from '../../kit/means.js';
import { isOk, startProgram } from '../../kit/server-program.js';

/** Starts an etcd with one member, where a Patroni cluster records its leader. @returns its address */
export async function startEtcd(means: Means, program: string): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`);
  const own = (address = ''): string => `http://${address}`;
  const options = {
    name: 'etcd',
    'data-dir': join(means.folder, 'etcd'),
    'listen-client-urls': own(client),
    'advertise-client-urls': own(client),
    'listen-peer-urls': own(peer),
    'initial-advertise-peer-urls': own(peer),
    'initial-cluster': `etcd=${own(peer)}`,
  };
  await startProgram(means, {
    name: 'etcd',
    command: program,
    args: Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    isReady: () => isOk(`${own(client)}/health`),
  });
  return client ?? '';
}
