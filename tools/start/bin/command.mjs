// npm run backup | restore | keys | projections | events | log | migration [-- ARGUMENTS]: a command of the operator. Exits with 0,
// or with another status and a message. `log` exits with 2 if it could not check or erase.
import { bootstrap } from '../../build/bootstrap.mjs';
import { keyProblem, refuse } from './preflight.mjs';

const [name, ...args] = process.argv.slice(2);
if (['backup', 'restore'].includes(name)) refuse(keyProblem(process.env));
await bootstrap();
const { run } = await import('../dist/commands/commands.js');
await run(name, args);
