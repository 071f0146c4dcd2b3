// npm run backup: copies the database into BACKUP_TARGET while the system runs. Ends with 0, or 1 with a message.
import { bootstrap } from '../../build/bootstrap.mjs';
import { keyProblem, refuse } from './preflight.mjs';

refuse(keyProblem(process.env));
await bootstrap();
const { backup } = await import('../dist/commands/backup.js');
await backup(process.argv.slice(2));
