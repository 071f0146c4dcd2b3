// Finds nats-server: on PATH, in the cache, as the official release, as the distribution's package.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { machineEnvironment } from '../dev.config.js';
import { Failure, messageOf } from '../failure.js';
import { fetchPackage } from './package.js';
import { fetchRelease, RELEASE } from './release.js';

const OLDEST = [2, 9] as const;

/**
 * Path of a nats-server that this machine can run.
 * @throws {Failure} saying what was tried and what to do, when there is none
 */
export async function findNatsServer(cacheDir: string): Promise<string> {
  const present = await presentServer(cacheDir);
  if (present !== undefined) return present;
  const tried: string[] = [];
  for (const fetchServer of [fetchRelease, fetchPackage]) {
    try {
      return await fetchServer(cacheDir);
    } catch (error) {
      tried.push(messageOf(error));
    }
  }
  throw new Failure(
    [
      'nats-server 2.9 or newer is needed and could not be found or fetched:',
      '- none on PATH, none in CACHE_DIR',
      ...tried.map((reason) => `- ${reason}`),
      `Install it (brew install nats-server, apt install nats-server, or release ${RELEASE} of nats-io/nats-server), ` +
        'or name a running one by NATS_URL.',
    ].join('\n'),
  );
}

async function presentServer(cacheDir: string): Promise<string | undefined> {
  const path = machineEnvironment()['PATH'] ?? '';
  // Debian puts servers where a normal user's PATH does not look.
  const folders = [...path.split(delimiter), '/usr/sbin', '/usr/local/sbin', join(cacheDir, 'nats')];
  for (const folder of folders) {
    const file = join(folder, process.platform === 'win32' ? 'nats-server.exe' : 'nats-server');
    if (existsSync(file) && isExecutable(file) && (await isRecent(file))) return file;
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function isRecent(file: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(file, ['--version']).catch(() => ({ stdout: '' }));
  const [, major = 0, minor = 0] = (/v(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
