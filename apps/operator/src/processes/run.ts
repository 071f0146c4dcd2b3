import { execFile, type ExecFileOptions } from 'node:child_process';
import { promisify } from 'node:util';
import { Failure } from '../common/failure.js';
import { machineEnvironment } from '../settings/operator.config.js';
import { projectFolder } from '../settings/project.js';

interface Surroundings extends Pick<ExecFileOptions, 'cwd' | 'env' | 'uid' | 'gid' | 'timeout' | 'signal'> {
  /** The text for its standard input. */
  readonly input?: string;
  /** Begins the message if it fails. */
  readonly problem?: string;
}

/**
 * Runs a program to its end, by default in the root of the project.
 * @returns its standard output
 * @throws {Failure} with what it printed last, if it ends with another status than 0
 */
export async function run(
  program: string,
  args: readonly string[],
  { input = '', problem = `${program} ${args.join(' ')} failed`, ...surroundings }: Surroundings = {},
): Promise<string> {
  const given = { cwd: projectFolder, env: machineEnvironment(), maxBuffer: 2 ** 26, ...surroundings };
  const running = promisify(execFile)(program, args, given);
  // A program may end without reading it.
  running.child.stdin?.on('error', () => undefined).end(input);
  const { stdout } = await running.catch(
    (cause: Error & { stdout?: string; stderr?: string; signal?: string | null }) => {
      const printed = `${cause.stdout ?? ''}${cause.stderr ?? ''}`.slice(-10_000);
      const why = cause.signal == null ? '' : ` (${cause.signal})`;
      throw new Failure(`${problem}${why}:\n${printed || cause.message}`, { cause });
    },
  );
  return stdout;
}
