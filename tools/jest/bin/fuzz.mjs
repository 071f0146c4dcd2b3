// npm run fuzz [-- REQUESTS]: sends that many requests of any kind, 20,000 unless told, to a running system of its own.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap, root } from '../../build/bootstrap.mjs';

const requests = Number(process.argv[2] ?? 20_000);
if (!Number.isInteger(requests) || requests < 1) {
  process.stderr.write('Usage: npm run fuzz [-- REQUESTS]\n');
  process.exit(2);
}
await bootstrap({ tools: true });
const jest = join(root, 'node_modules/jest/bin/jest.js');
const run = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    jest,
    '--selectProjects',
    'stack',
    '--testPathPatterns',
    'gateway/test/fuzz/',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_REQUESTS: String(requests) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => run.kill(signal));
run.once('exit', (code) => process.exit(code ?? 1));
