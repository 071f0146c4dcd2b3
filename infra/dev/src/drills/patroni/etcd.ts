import { join } from 'node:path';
import { machineEnvironment } from '../../dev.config.js';
import { freePort } from '../../ports.js';
import { startReady } from '../../processes/child.js';
import type { Means } from '../drill.js';

/** Starts one etcd, where the members of a Patroni cluster keep their leader. @returns its address */
export async function startEtcd({ folder, atEnd }: Means, program: string): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`);
  const own = (address = ''): string => `http://${address}`;
  const child = await startReady(
    {
      name: 'etcd',
      command: program,
      args: [
        ...['--data-dir', join(folder, 'etcd'), '--name', 'etcd'],
        ...['--listen-client-urls', own(client), '--advertise-client-urls', own(client)],
        ...['--listen-peer-urls', own(peer), '--initial-advertise-peer-urls', own(peer)],
        ...['--initial-cluster', `etcd=${own(peer)}`],
      ],
      ...{ env: machineEnvironment(), logFile: join(folder, 'etcd.log'), orphaned: 'SIGTERM' },
    },
    { isReady: () => isHealthy(own(client)), within: 20_000 },
  );
  atEnd(() => child.stop('SIGKILL', 1000));
  return client ?? '';
}

const isHealthy = (origin: string): Promise<boolean> =>
  fetch(`${origin}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
