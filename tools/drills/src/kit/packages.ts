// The packages of another version. This tree has most of them: their files are linked, so that npm has little to unpack.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { machineEnvironment, projectFolder } from '@practice/operator';

const run = promisify(execFile);
const INSTALL = ['install', '--no-save', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];

/**
 * Installs the packages that a tree needs to run.
 * @param tree root of a clone of this repository, without packages
 */
export async function installPackages(tree: string): Promise<void> {
  const copy = (how: string) => run('cp', [how, join(projectFolder, 'node_modules'), tree]);
  // Files cannot be linked if the temporary folder is on another disk.
  await copy('-al').catch(() => copy('-a'));
  // npm replaces the files of packages, but writes into the existing list of packages, which both trees would share.
  for (const kept of ['.package-lock.json', '.vite-temp'])
    rmSync(join(tree, 'node_modules', kept), { recursive: true, force: true });
  await run('npm', INSTALL, { cwd: tree, env: machineEnvironment(), maxBuffer: 2 ** 26 });
}
