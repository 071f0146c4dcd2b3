// The first steps of every command, on a fresh clone too: check Node, install, build. Imports only modules of Node.
// Prints one line per stage, with its time.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
// Node 22 and newer keep compiled code there.
module.enableCompileCache?.(join(root, '.cache', 'compiled'));

/** The list of installed packages, written by npm. */
const noted = join(root, 'node_modules', '.package-lock.json');
const OLDEST_NODE = [20, 19];

/**
 * Installs and builds, so that the compiled code can be imported. Ends the process if that fails.
 * @param {{ tools?: boolean }} needs `tools`: also the packages that only development needs, such as Jest
 */
export async function bootstrap(needs) {
  await installed(needs);
  await stage('Build', build);
}

/** Installs missing packages. Ends the process if that fails. */
export async function installed({ tools = false } = {}) {
  requireNode();
  await stage('Dependencies', () => installUnlessUpToDate(tools));
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

/** Compiles changed files. The compiler needs hundreds of MB, so it runs in a process that ends. Rejects with the compiler's messages. */
export async function build() {
  const files = await run(join(import.meta.dirname, 'program.mjs'), []);
  return files === '0' ? 'up to date' : `${files} files`;
}

/** Runs a Node program. Resolves with its output, or rejects with it if the program fails. */
export function run(program, args, env = {}, cwd = root) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...process.env, ...env } });
    const end = () => child.kill();
    // A stage that fails ends this process while another stage may run.
    process.once('exit', end);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('exit', end);
      return code === 0 ? resolve(output) : reject(new Error(output.trim()));
    });
  });
}

/** Runs Node in this terminal. Passes on signals that ask this process to end. @returns its exit status */
export function runShown(args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  process.stderr.write(
    `Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}

async function installUnlessUpToDate(tools) {
  if (isInstalled(tools)) return 'up to date';
  const npm =
    process.env.npm_execpath ?? join(process.execPath, '..', '..', 'lib/node_modules/npm/bin/npm-cli.js');
  await run(npm, [...installation(tools), '--no-audit', '--no-fund', '--loglevel=error']);
  return 'installed';
}

function installation(tools) {
  // A running system keeps its packages: tools are added to them.
  if (tools && isInstalled(false)) return ['install', '--no-save'];
  // An installation with tools keeps its tools.
  const hasTools = existsSync(noted) && readFileSync(noted, 'utf8').includes('"dev": true');
  return tools || hasTools ? ['ci'] : ['ci', '--omit=dev'];
}

/** Compares the versions that npm recorded in node_modules with the lock file. */
function isInstalled(tools) {
  if (!existsSync(noted)) return false;
  const [wanted, present] = [join(root, 'package-lock.json'), noted].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
  );
  return Object.entries(wanted).every(([path, { version, link, dev, devOptional, optional, peer }]) => {
    const isPlace = path === '' || !path.includes('node_modules/');
    return (
      isPlace ||
      link ||
      (!tools && (dev || devOptional)) ||
      (optional && !present[path]) ||
      (peer && !present[path]) ||
      present[path]?.version === version
    );
  });
}

function stageLine(title, milliseconds) {
  return `  ${title.padEnd(70)} ${(milliseconds / 1000).toFixed(1).padStart(6)} s\n`;
}
