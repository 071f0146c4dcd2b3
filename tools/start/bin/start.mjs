// npm start: brings the whole product up and keeps it running until Ctrl-C.
import { parseArgs } from 'node:util';
import { bootstrap } from '../../build/bootstrap.mjs';
import { dataProblem, keyProblem, refuse } from './preflight.mjs';

const usage = `Usage: npm start [-- OPTIONS]
  --seed    adds a demo practice with a year of appointments, and prints its login
  --fresh   starts from nothing: all data is deleted (asks first)
  --yes     answers yes to that question
  --help    shows this
Settings come from the environment; README has the list.
`;

const flags = readFlags();
refuse(keyProblem(process.env), flags.fresh ? undefined : dataProblem(process.env));
await bootstrap();
const { start } = await import('../dist/start/start.js');
await start(flags);

function readFlags() {
  try {
    const boolean = { type: 'boolean', default: false };
    const { values } = parseArgs({ options: { seed: boolean, fresh: boolean, yes: boolean, help: boolean } });
    if (!values.help) return values;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error.message.split('. ')[0]}.\n${usage}`);
    process.exit(2);
  }
}
