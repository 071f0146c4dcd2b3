// npm run fuzz [-- REQUESTS]: sends 20,000 requests of any kind, or as many as given, to a running system of its own.
import { join } from 'node:path';
import { bootstrap, root, runShown } from '../../build/bootstrap.mjs';

const requests = Number(process.argv[2] ?? 20_000);
if (!Number.isInteger(requests) || requests < 1) {
  process.stderr.write('Usage: npm run fuzz [-- REQUESTS]\n');
  process.exit(2);
}
await bootstrap({ tools: true });
const jest = join(root, 'node_modules/jest/bin/jest.js');
const specs = ['--selectProjects', 'stack', '--testPathPatterns', 'gateway/test/fuzz/'];
const env = { FUZZ_REQUESTS: String(requests) };
process.exit(await runShown(['--experimental-vm-modules', '--no-warnings', jest, ...specs], env));
