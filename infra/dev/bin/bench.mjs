// npm run bench [-- --quick] [-- --json FILE]: measures the whole path against yardsticks on the same Postgres.
import { bootstrap } from './bootstrap.mjs';

await bootstrap('apps/*', 'infra/*', 'bench');
const { bench } = await import('../../../bench/dist/index.js');
await bench(process.argv.slice(2));
