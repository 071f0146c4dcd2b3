// npm run events -- republish SERVICE … | lag | dead-letters … | user …: commands about the event bus.
import { bootstrap } from '../../build/bootstrap.mjs';

await bootstrap();
const { events } = await import('../dist/commands/events.js');
await events(process.argv.slice(2));
