// npm run kubernetes -- OVERLAY [secrets | user …]: makes the secrets of infra/k8s/OVERLAY, or adds NATS users of outside subscribers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, root } from '../../build/bootstrap.mjs';

const [name = '', ...step] = process.argv.slice(2);
const overlay = join(root, 'infra', 'k8s', name);
if (name === '' || !existsSync(join(overlay, 'settings.env'))) {
  process.stderr.write('Usage: npm run kubernetes -- production|development [secrets|user …]\n');
  process.exit(1);
}
await bootstrap();
const { inOverlay } = await import('../../../apps/operator/dist/containers/overlay.js');
await inOverlay(overlay, step).catch(({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
