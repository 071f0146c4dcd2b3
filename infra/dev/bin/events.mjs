// npm run events -- republish SERVICE … | lag | dead-letters … | user …: commands about the event bus.
import { bootstrap } from './bootstrap.mjs';

await bootstrap();
const { events } = await import('../dist/local/events.js');
await events(process.argv.slice(2));
