// nats-server from Debian's or Ubuntu's archive, unpacked into the cache: nothing is installed, no root is needed.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../failure.js';

const run = promisify(execFile);
const UPDATE_WITHIN = 90_000;
const DOWNLOAD_WITHIN = 60_000;

/**
 * Fetches the package into the cache.
 * @returns path of the program
 * @throws when this is no Debian or Ubuntu, or its archive cannot be reached
 */
export async function fetchPackage(cacheDir: string): Promise<string> {
  if (!['/usr/bin/apt-get', '/usr/bin/dpkg'].every(existsSync)) {
    throw new Error('this is no Debian or Ubuntu, whose package could be taken');
  }
  const scratch = mkdtempSync(join(tmpdir(), 'practice-nats-'));
  try {
    await download(scratch, []).catch(() => downloadWithOwnLists(scratch, resolve(cacheDir, 'apt')));
    const archive = readdirSync(scratch).find((name) => name.endsWith('.deb'));
    if (archive === undefined) throw new Error('apt-get left no package');
    await run('dpkg', ['-x', join(scratch, archive), join(scratch, 'unpacked')]);
    return keep(join(scratch, 'unpacked'), resolve(cacheDir, 'nats'));
  } catch (cause) {
    throw new Error(`the distribution's package cannot be fetched (${lastLine(messageOf(cause))})`, {
      cause,
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function download(folder: string, options: readonly string[]): Promise<void> {
  await run('apt-get', [...options, 'download', 'nats-server'], { cwd: folder, timeout: DOWNLOAD_WITHIN });
}

/** A machine whose package lists were cleared away, as in a container: lists of our own, beside the system's. */
async function downloadWithOwnLists(folder: string, apt: string): Promise<void> {
  for (const part of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, part), { recursive: true });
  const options = [
    `Dir::State::Lists=${join(apt, 'lists')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option]);
  await run('apt-get', [...options, 'update'], { timeout: UPDATE_WITHIN });
  await download(folder, options);
}

function keep(unpacked: string, folder: string): string {
  const program = ['usr/sbin/nats-server', 'usr/bin/nats-server']
    .map((path) => join(unpacked, path))
    .find(existsSync);
  if (program === undefined) throw new Error('the package holds no nats-server');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nats-server');
  copyFileSync(program, `${file}.${process.pid}`);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? text;
}
