// node tools/build/turbo.mjs ARGUMENTS: runs turbo, which neither reports its use nor looks for newer versions.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..', '..');
const quiet = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };

/** @returns its exit status */
export function turbo(args, env = {}) {
  const program = join(root, 'node_modules', 'turbo', 'bin', 'turbo');
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...quiet, ...env },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await turbo(process.argv.slice(2));
