// npm run projections -- rebuild SERVICE [--check]: folds a service's log into new read tables, or compares only.
import { bootstrap } from '../../build/bootstrap.mjs';

await bootstrap();
const { rebuild } = await import('../dist/commands/commands.js');
await rebuild(process.argv.slice(2));
