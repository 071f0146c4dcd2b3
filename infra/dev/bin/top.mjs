// npm run top: a live view of the running system.
import { bootstrap } from './bootstrap.mjs';

await bootstrap();
const { top } = await import('../dist/monitoring/top.js');
await top(process.argv.slice(2));
