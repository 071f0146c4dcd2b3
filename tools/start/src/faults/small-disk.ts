// A separate disk in memory, whose free space can be used up, as when another program fills it.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@practice/operator';

const PAGE = 4096;
/** Room for the writes of other programs between the look at the disk and its change. */
const SLACK = 16 * PAGE;
const ATTEMPTS = 50;

/**
 * Mounts a tmpfs, which takes memory only for the files on it.
 * @returns `undefined` where this user may not mount one
 */
export function mountSmallDisk(folder: string, bytes: number) {
  mkdirSync(folder, { recursive: true });
  const mount = ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', folder];
  if (process.platform !== 'linux' || spawnSync('mount', mount).status !== 0) return undefined;
  const filler = join(folder, 'filler');
  /** Gives the disk its full size again. */
  const restore = async (): Promise<void> => {
    await resize(folder, bytes);
    rmSync(filler, { force: true });
  };
  return {
    ...{ folder, restore },
    /** Leaves this many bytes free, until `restore`. Programs can free more by deleting files. */
    leave: async (left: number): Promise<void> => {
      await shrink(folder, left);
      if (left === 0) useUp(filler);
    },
    unmount: async (): Promise<void> => void (await run('umount', [folder])),
  };
}

export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>;

const resize = (folder: string, bytes: number): Promise<unknown> =>
  run('mount', ['-o', `remount,size=${bytes}`, folder]);

/** Shrinks the disk. The kernel refuses a size below the used space, to which programs add: each further attempt leaves more room. */
async function shrink(folder: string, left: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { blocks, bfree, bsize } = await statfs(folder);
    try {
      return void (await resize(folder, (blocks - bfree) * bsize + left + (attempt - 1) * SLACK));
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

function useUp(filler: string): void {
  const file = openSync(filler, 'a');
  try {
    for (;;) writeSync(file, Buffer.alloc(PAGE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
