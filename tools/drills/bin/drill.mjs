// npm run drill [-- NAME …]: rehearses a way to run on several servers, or to upgrade, with real programs. Exits with 1 if a check failed.
import { bootstrap } from '../../build/bootstrap.mjs';

await bootstrap({ tools: true });
const { drills } = await import('../dist/index.js');
await drills(process.argv.slice(2));
