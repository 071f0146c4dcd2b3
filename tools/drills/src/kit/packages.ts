// The packages of another version. This tree has most of them: their files are linked, so that npm has little to unpack.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { machineEnvironment, projectFolder } from '@practice/operator';

interface Package {
  readonly version?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
}

interface Lock {
  readonly packages: Readonly<Record<string, Package>>;
}

/** The list of installed packages, which npm reads instead of the folders. */
const NOTED = join('node_modules', '.package-lock.json');
const OUTERMOST = /^node_modules\/(?:@[^/]+\/)?[^/]+/;
const INSTALL = ['install', '--no-save', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];

/**
 * Installs the packages that a tree needs to run.
 * @param tree root of a clone of this repository, without packages
 */
export async function installPackages(tree: string): Promise<void> {
  shareModules(tree);
  await promisify(execFile)('npm', INSTALL, { cwd: tree, env: machineEnvironment(), maxBuffer: 2 ** 26 });
}

/** Puts the packages in place that both trees have in the same version. npm then adds and removes what differs. */
function shareModules(tree: string): void {
  const wanted = lockOf(join(tree, 'package-lock.json')).packages;
  const noted = lockOf(join(projectFolder, NOTED));
  const isShared = (path: string): boolean => {
    const [outermost = ''] = OUTERMOST.exec(path) ?? [];
    const { version, link, dev } = wanted[outermost] ?? {};
    return version !== undefined && !link && !dev && version === noted.packages[outermost]?.version;
  };
  const packages = Object.fromEntries(Object.entries(noted.packages).filter(([path]) => isShared(path)));
  const folders = Object.keys(packages).filter((path) => OUTERMOST.exec(path)?.[0] === path);
  for (const folder of [...folders, join('node_modules', '.bin')])
    linkFolder(join(projectFolder, folder), join(tree, folder));
  // Written last: npm ignores a list that is older than a folder.
  writeFileSync(join(tree, NOTED), JSON.stringify({ ...noted, packages }));
}

const lockOf = (file: string): Lock => JSON.parse(readFileSync(file, 'utf8')) as Lock;

/** Copies a folder by links to its files. npm replaces files, and does not write into them. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkFile(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // The temporary folder may be on another disk.
    copyFileSync(source, target);
  }
}
