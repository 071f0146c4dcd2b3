import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Failure } from '../common/failure.js';
import { machineEnvironment } from '../settings/operator.config.js';
import { projectFolder } from '../settings/project.js';

interface Surroundings {
  /** The root of the project by default. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The text for its standard input. */
  readonly input?: string;
}

/** Runs a program. @returns its standard output. @throws {Failure} when it ends with another status than 0 */
export async function run(
  program: string,
  args: readonly string[],
  { cwd = projectFolder, env = machineEnvironment(), input = '' }: Surroundings = {},
): Promise<string> {
  const running = promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 });
  // A program may end without reading it.
  running.child.stdin?.on('error', () => undefined).end(input);
  const { stdout } = await running.catch(({ stderr, message }: Error & { stderr?: string }) => {
    throw new Failure(`${program} ${args.join(' ')} failed: ${stderr?.slice(-4000) || message}`);
  });
  return stdout;
}
