// npm run events -- republish SERVICE [--from TIME]: publishes a service's events once more, from its log.
import { bootstrap } from './bootstrap.mjs';

await bootstrap('apps/*', 'infra/*');
const { republish } = await import('../dist/commands.js');
await republish(process.argv.slice(2));
