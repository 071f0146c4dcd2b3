// Runs a step of container.js as a container would, with a folder in the place of its volumes.
import { join } from 'node:path';
import { projectFolder } from '../project.js';
import { session, type Session } from './session.js';

const program = join(projectFolder, 'infra', 'dev', 'dist', 'container-steps.js');
const code = `import(${JSON.stringify(program)})
  .then(({ runStep }) => runStep(process.argv[1], process.argv.slice(2)))
  .catch(({ message }) => { console.error(message); process.exitCode = 1; })`;

/** @param volumes a folder with a folder `infra` */
export const containerStep = (
  volumes: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Session> => session(process.execPath, ['-e', code, volumes, ...args], { env });
