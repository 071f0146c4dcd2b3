// A checkout of another version of the project, kept in CACHE_DIR for the next comparison with it.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Checkout {
  readonly folder: string;
  /** Abbreviated hash of the commit. */
  readonly commit: string;
}

/**
 * Checks a commit out in a git worktree of its own.
 * @param ref a commit, tag or branch of the repository that contains `root`
 * @throws {Error} if git does not know the ref
 */
export async function checkOut(root: string, cacheDir: string, ref: string): Promise<Checkout> {
  const hash = await git(root, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`).catch(() => {
    throw new Error(`git knows no commit '${ref}'`);
  });
  const commit = hash.slice(0, 12);
  const folder = join(cacheDir, 'versions', commit);
  if (!existsSync(join(folder, '.git'))) {
    mkdirSync(join(cacheDir, 'versions'), { recursive: true });
    await git(root, 'worktree', 'prune');
    await git(root, 'worktree', 'add', '--force', '--detach', folder, hash);
  }
  return { folder, commit };
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd })).stdout.trim();
}
