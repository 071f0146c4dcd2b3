import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, isReachable, projectFolder } from '@practice/operator';
import type { Means } from './means.js';
import { findProgram } from './programs.js';
import { startProgram } from './server-program.js';

export interface Proxied {
  /** A configuration in `infra`. It binds to `${BIND}`. */
  readonly config: readonly string[];
  /** The name of the process and of its files. */
  readonly name: string;
  /** Servers in place of the ones in the configuration: an address and its options. */
  readonly servers: readonly string[];
}

const SERVERS = /(?:^ *server(?:-template)? .*\n)+/m;

/** The path of HAProxy. @throws {Missing} if it is not installed */
export const findHaproxy = (): Promise<string> =>
  findProgram({ program: 'haproxy', debian: 'haproxy', since: '2.4', versionOption: '-v' });

/**
 * Starts HAProxy with a configuration of the project. Only the servers in it are replaced.
 * @returns the port that it listens on
 */
export async function startHaproxy(
  means: Means,
  program: string,
  { config, name, servers }: Proxied,
): Promise<number> {
  const port = await freePort();
  const given = readFileSync(join(projectFolder, 'infra', ...config), 'utf8');
  if (!SERVERS.test(given)) throw new Error(`${config.join('/')} names no servers`);
  const lines = servers.map((server, index) => `  server ${name}-${index + 1} ${server}\n`).join('');
  const file = join(means.folder, `${name}.cfg`);
  writeFileSync(file, given.replace(SERVERS, lines));
  await startProgram(means, {
    name,
    command: program,
    args: ['-db', '-f', file],
    env: { BIND: `127.0.0.1:${port}` },
    isReady: () => isReachable(port),
  });
  return port;
}
