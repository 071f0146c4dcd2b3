// What every command does first, on a bare clone as well: the right Node, dependencies, build. Imports nothing that
// has to be installed. Shows one line for each stage, with its time.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');

const OLDEST_NODE = [20, 19];

/**
 * Brings the tree to a state in which its compiled code can be imported. Ends the process when it cannot.
 * @param folders the packages to build, with all that they build on; everything when left out
 */
export async function bootstrap(...folders) {
  requireNode();
  await stage('Dependencies', installUnlessUpToDate);
  await stage('Build', () => build(...folders));
}

/** Runs one stage and shows its line; when it fails, shows why and ends the process. */
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

/** Compiles what has changed. Rejects with what the compiler said. */
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

/** Runs a Node program to its end. Resolves with its output, rejects with it when the program fails. */
export function run(program, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: root, env: { ...process.env, ...env } });
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

/** npm notes in node_modules what it has put there: the same versions as the lock file names? */
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
