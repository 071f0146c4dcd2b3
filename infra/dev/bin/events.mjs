// npm run events -- republish SERVICE [--from POSITION|TIME] [--practice ID]: publishes a log's events once more.
import { bootstrap } from './bootstrap.mjs';

await bootstrap('apps/*', 'infra/*');
const { republish } = await import('../dist/commands.js');
await republish(process.argv.slice(2));
