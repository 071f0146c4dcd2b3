// npm run log -- verify [SERVICE]: checks the hashes of every practice's log. Ends with 0 (intact), 1 (broken) or 2 (could not check).
// npm run log -- erase-practice THERAPIST_ID [--yes]: erases a practice. Ends with 0 (erased), 1 (not erased) or 2 (could not).
// npm run log -- restored: begins an epoch in every log, after a database was restored by hand. Ends with 0, or 2 if the system runs.
import { bootstrap } from '../../build/bootstrap.mjs';

await bootstrap();
const { log } = await import('../dist/commands/log.js');
await log(process.argv.slice(2));
