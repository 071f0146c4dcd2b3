// npm run restore: puts the database of BACKUP_TARGET into DATA_DIR, as it was at a time. Ends with 0, or 1 with a message.
import { bootstrap } from '../../build/bootstrap.mjs';
import { keyProblem, refuse } from './preflight.mjs';

refuse(keyProblem(process.env));
await bootstrap();
const { restore } = await import('../dist/commands/backup.js');
await restore(process.argv.slice(2));
