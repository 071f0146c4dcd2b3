// npm run bench [-- --quick] [-- --against REF] [-- --json FILE]: measures the product beside baselines, or beside another version.
import { bootstrap } from './bootstrap.mjs';

await bootstrap({ tools: true });
const { bench } = await import('../../../bench/dist/index.js');
await bench(process.argv.slice(2));
