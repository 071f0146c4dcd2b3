// npm run chaos [-- OPTIONS]: puts a load on a system of its own, causes faults of all kinds, and checks that nothing was lost or doubled.
import { bootstrap } from '../../build/bootstrap.mjs';

await bootstrap({ tools: true });
const { chaos } = await import('../dist/index.js');
await chaos(process.argv.slice(2));
