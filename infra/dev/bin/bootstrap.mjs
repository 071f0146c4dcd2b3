// The first steps of every command, on a fresh clone too: check Node, install, build. Imports only what Node has.
// Prints one line per stage, with its time.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');
// Node 22 and newer keep compiled code there.
module.enableCompileCache?.(join(root, '.cache', 'compiled'));

const OLDEST_NODE = [20, 19];

/**
 * Installs and builds, so that the compiled code can be imported. Ends the process if that fails.
 * @param folders the packages to build, with their dependencies; all packages by default
 */
export async function bootstrap(...folders) {
  requireNode();
  await stage('Dependencies', installUnlessUpToDate);
  await stage('Build', () => build(...folders));
}

/** Runs one stage and prints its line. If it fails, prints the reason and ends the process. */
export async function stage(title, work) {
  const began = performance.now();
  const isTerminal = process.stdout.isTTY;
  if (isTerminal) process.stdout.write(`  ${title} …`);
  try {
    const note = await work();
    if (isTerminal) process.stdout.write('\r\x1b[K');
    process.stdout.write(stageLine(note ? `${title} (${note})` : title, performance.now() - began));
  } catch (error) {
    if (isTerminal) process.stdout.write('\r\x1b[K');
    process.stderr.write(`${error.message}\n${title} failed.\n`);
    process.exit(1);
  }
}

/** Compiles changed packages. Rejects with the compiler's output. */
export async function build(...folders) {
  const turbo = join(root, 'node_modules', 'turbo', 'bin', 'turbo');
  const filters = folders.map((folder) => `--filter=./${folder}`);
  const options = [
    '--output-logs=errors-only',
    '--no-color',
    '--continue=dependencies-successful',
    ...filters,
  ];
  const output = await run(turbo, ['run', 'build', ...options], {
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
  });
  return /FULL TURBO/.test(output) ? 'up to date' : undefined;
}

/** Runs a Node program. Resolves with its output, or rejects with it if the program fails. */
export function run(program, args, env = {}, cwd = root) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(output.trim()))));
  });
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  process.stderr.write(
    `Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}

async function installUnlessUpToDate() {
  if (isInstalled()) return 'up to date';
  const npm =
    process.env.npm_execpath ?? join(process.execPath, '..', '..', 'lib/node_modules/npm/bin/npm-cli.js');
  await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  return 'installed';
}

/** Compares the versions that npm recorded in node_modules with the lock file. */
function isInstalled() {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const [wanted, present] = [join(root, 'package-lock.json'), noted].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
  );
  return Object.entries(wanted).every(([path, { version, link, optional, peer }]) => {
    const isPlace = path === '' || !path.includes('node_modules/');
    return (
      isPlace ||
      link ||
      (optional && !present[path]) ||
      (peer && !present[path]) ||
      present[path]?.version === version
    );
  });
}

function stageLine(title, milliseconds) {
  return `  ${title.padEnd(70)} ${(milliseconds / 1000).toFixed(1).padStart(6)} s\n`;
}
