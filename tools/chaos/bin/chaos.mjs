// npm run chaos [-- OPTIONS]: a load on a running system of its own, faults of all kinds, and a check that nothing was lost or doubled.
import { bootstrap } from '../../build/bootstrap.mjs';

await bootstrap({ tools: true });
const { chaos } = await import('../dist/index.js');
await chaos(process.argv.slice(2));
