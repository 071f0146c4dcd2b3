import { join } from 'node:path';
import { projectFolder, run } from '@practice/operator';
import { checkOut } from '@practice/start';

export interface Version {
  readonly name: string;
  /** Root of the built tree. */
  readonly tree: string;
}

export const thisVersion: Version = { name: 'this version', tree: projectFolder };

/** A clone of this repository at a commit, with its packages, built. It takes minutes. */
export async function builtVersion(commit: string, folder: string): Promise<Version> {
  const tree = join(folder, 'previous');
  await checkOut(commit, tree);
  await run('npm', ['run', 'build'], { cwd: tree });
  return { name: commit, tree };
}
