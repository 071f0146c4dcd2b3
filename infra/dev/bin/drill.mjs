// npm run drill [-- NAME …]: rehearses a failure, or a way to run on several servers, with real programs. Ends with 1 if a check failed.
import { bootstrap } from './bootstrap.mjs';

await bootstrap();
const { drills } = await import('../dist/drills/commands.js');
await drills(process.argv.slice(2));
