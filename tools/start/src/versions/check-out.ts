// Another version of the project. This tree has most of its packages: their files are linked, so that npm has little to unpack.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, run } from '@practice/operator';

const INSTALL = ['install', '--no-save', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];

/**
 * Checks a commit out with the packages that it needs to run. It is a clone, as a build tool of the version may write into the repository
 * that a worktree belongs to.
 * @param tree the new folder for it
 */
export async function checkOut(commit: string, tree: string): Promise<void> {
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', projectFolder, tree]);
  await run('git', ['checkout', '--quiet', commit], { cwd: tree });
  const copy = (how: string) => run('cp', [how, join(projectFolder, 'node_modules'), tree]);
  // Files cannot be linked if the temporary folder is on another disk.
  await copy('-al').catch(() => copy('-a'));
  // npm replaces the files of packages, but writes into the existing list of packages, which both trees would share.
  for (const kept of ['.package-lock.json', '.vite-temp'])
    rmSync(join(tree, 'node_modules', kept), { recursive: true, force: true });
  await run('npm', INSTALL, { cwd: tree });
  for (const folder of ['infra', 'tools']) letBuildBeSlow(join(tree, folder, 'build', 'bundle.mjs'));
}

/** Earlier versions refuse every warning of the bundler, and the bundler warns if a plugin is slow on this machine. */
function letBuildBeSlow(file: string): void {
  if (!existsSync(file)) return;
  const source = readFileSync(file, 'utf8');
  if (!source.includes('bundlerTimings'))
    writeFileSync(file, source.replace('onLog: refuse,', '$& checks: { bundlerTimings: false },'));
}
