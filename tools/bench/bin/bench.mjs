// npm run bench [-- --quick] [-- --against REF] [-- --json FILE]: measures the product beside baselines, or beside another version.
import { bootstrap } from '../../build/bootstrap.mjs';

await bootstrap({ tools: true });
const { bench } = await import('../dist/index.js');
await bench(process.argv.slice(2));
