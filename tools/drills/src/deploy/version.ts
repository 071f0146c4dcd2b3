import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { machineEnvironment, projectFolder } from '@practice/operator';
import { checkOut } from '../kit/checkout.js';

const run = promisify(execFile);

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
  await run('npm', ['run', 'build'], { cwd: tree, env: machineEnvironment(), maxBuffer: 2 ** 26 });
  return { name: commit, tree };
}
