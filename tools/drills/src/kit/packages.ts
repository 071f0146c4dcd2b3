// The packages of another version. This tree has most of them: their files are linked, so that npm has little to unpack.
import { execFile } from 'node:child_process';
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
  // Files cannot be linked if the temporary folder is on another disk. npm replaces files, and does not write into them.
  await copy('-al').catch(() => copy('-a'));
  await run('npm', INSTALL, { cwd: tree, env: machineEnvironment(), maxBuffer: 2 ** 26 });
}
