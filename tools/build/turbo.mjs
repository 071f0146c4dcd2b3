// node tools/build/turbo.mjs ARGUMENTS: runs turbo, which neither reports its use nor looks for newer versions.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, runShown } from './bootstrap.mjs';

const quiet = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };

/** @returns its exit status */
export function turbo(args, env = {}) {
  const program = join(root, 'node_modules', 'turbo', 'bin', 'turbo');
  return runShown([program, ...args], { ...quiet, ...env });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await turbo(process.argv.slice(2));
