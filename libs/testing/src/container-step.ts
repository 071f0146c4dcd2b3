// Runs a step of apps/operator as a container would, with a folder instead of its volumes.
import { join } from 'node:path';
import { projectFolder, session, type ProgramRun } from './session.config.js';

const program = join(projectFolder, 'apps', 'operator', 'dist', 'containers', 'container-steps.js');
const code = `import(${JSON.stringify(program)})
  .then(({ runStep }) => runStep(process.argv[1], process.argv.slice(2)))
  .catch(({ message }) => { console.error(message); process.exitCode = 1; })`;

/** Runs a step. @param volumes a folder that contains a folder `infra` */
export const containerStep = (
  volumes: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> => session(process.execPath, ['-e', code, volumes, ...args], { env });
