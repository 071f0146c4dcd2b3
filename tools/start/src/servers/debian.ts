// Programs from Debian's or Ubuntu's archive, unpacked beside the system: nothing is installed, no root is needed.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '@practice/process';

const run = promisify(execFile);
const UPDATE_WITHIN = 90_000;
const DOWNLOAD_WITHIN = 60_000;

/**
 * Fetches a package and the packages that it needs and this machine lacks. Calls `take` with the folder of their unpacked files, which
 * is deleted afterwards.
 * @throws when this system is not Debian or Ubuntu, or its archive cannot be reached
 */
export async function withPackage<T>(
  name: string,
  cacheDir: string,
  take: (unpacked: string) => T,
): Promise<T> {
  if (!['/usr/bin/apt-get', '/usr/bin/dpkg'].every(existsSync)) {
    throw new Error('this is no Debian or Ubuntu, whose package could be taken');
  }
  const scratch = mkdtempSync(join(tmpdir(), 'practice-package-'));
  try {
    await download(name, scratch, []).catch(() =>
      downloadWithOwnLists(name, scratch, resolve(cacheDir, 'apt')),
    );
    const archives = readdirSync(scratch).filter((file) => file.endsWith('.deb'));
    if (archives.length === 0) throw new Error('apt-get left no package');
    const unpacked = join(scratch, 'unpacked');
    for (const archive of archives) await run('dpkg', ['-x', join(scratch, archive), unpacked]);
    return take(unpacked);
  } catch (cause) {
    throw new Error(`the distribution's package cannot be fetched (${lastLine(messageOf(cause))})`, {
      cause,
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function download(name: string, folder: string, options: readonly string[]): Promise<void> {
  mkdirSync(join(folder, 'partial'), { recursive: true });
  // Packages are only downloaded, so nothing in the system is locked or changed.
  const aside = [`Dir::Cache::archives=${folder}`, 'Debug::NoLocking=1', 'APT::Sandbox::User='];
  const command = ['install', '--yes', '--download-only', '--reinstall', '--no-install-recommends', name];
  await run('apt-get', [...options, ...asOptions(aside), ...command], { timeout: DOWNLOAD_WITHIN });
}

/** Downloads with package lists of its own, for a machine whose lists were deleted, such as a container. */
async function downloadWithOwnLists(name: string, folder: string, apt: string): Promise<void> {
  for (const part of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, part), { recursive: true });
  const own = [
    `Dir::State::Lists=${join(apt, 'lists')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
    'APT::Sandbox::User=',
  ];
  await run('apt-get', [...asOptions(own), 'update'], { timeout: UPDATE_WITHIN });
  await download(name, folder, asOptions(own));
}

const asOptions = (settings: readonly string[]): string[] => settings.flatMap((setting) => ['-o', setting]);

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? text;
}
