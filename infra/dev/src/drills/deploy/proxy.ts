import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineEnvironment } from '../../dev.config.js';
import { freePort } from '../../ports.js';
import { isReachable } from '../../postgres/reachable.js';
import { projectFolder } from '../../processes/app.js';
import { startReady } from '../../processes/child.js';
import type { Drilling } from '../drill.js';

const TEMPLATE = /^ *server-template .*$/m;

/**
 * Starts HAProxy with the configuration of the containers; only the gateways have ports here instead of one name.
 * @param ports of gateways that may run
 * @returns the origin of the API
 */
export async function startProxy(
  { folder, atEnd }: Drilling,
  program: string,
  ports: readonly number[],
): Promise<string> {
  const port = await freePort();
  const given = readFileSync(join(projectFolder, 'infra', 'haproxy', 'haproxy.cfg'), 'utf8');
  if (!TEMPLATE.test(given)) throw new Error('haproxy.cfg has no line server-template');
  const servers = ports.map((one, index) => `  server gateway${index + 1} 127.0.0.1:${one}`).join('\n');
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, given.replace(TEMPLATE, servers));
  const child = await startReady(
    {
      ...{ name: 'haproxy', command: program, args: ['-db', '-f', file] },
      ...{ env: { ...machineEnvironment(), BIND: `127.0.0.1:${port}` } },
      ...{ logFile: join(folder, 'haproxy.log'), orphaned: 'SIGTERM' },
    },
    { isReady: () => isReachable(port), within: 20_000 },
  );
  atEnd(() => child.stop('SIGKILL', 1000));
  return `http://127.0.0.1:${port}`;
}
