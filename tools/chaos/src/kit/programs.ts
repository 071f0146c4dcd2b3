// The Debian packages that drills need, and the versions of their programs.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { machineEnvironment, programPath } from '@practice/operator';
import { Missing } from './means.js';

export interface Wanted {
  readonly program: string;
  /** The Debian package. */
  readonly debian: string;
  /** The oldest version that is accepted. */
  readonly since: readonly [major: number, minor: number];
  /** The option that prints the version. */
  readonly versionOption?: string;
}

/**
 * The path of a program.
 * @throws {Missing} if it is not installed, or only an older one
 */
export async function findProgram({
  program,
  debian,
  since,
  versionOption = '--version',
}: Wanted): Promise<string> {
  const found = programPath(program);
  if (found === undefined) throw new Missing(`${program} is not installed (apt-get install ${debian}).`);
  const printed = /(\d+)\.(\d+)/.exec(await printedVersion(found, versionOption));
  const [major = 0, minor = 0] = (printed ?? []).slice(1).map(Number);
  if (major > since[0] || (major === since[0] && minor >= since[1])) return found;
  throw new Missing(`${program} ${since.join('.')} or newer is needed; ${found} is ${major}.${minor}.`);
}

/** The output of a program that is asked for its version. */
export const printedVersion = async (file: string, option = '--version'): Promise<string> =>
  (await promisify(execFile)(file, [option], { env: machineEnvironment() })).stdout.trim();
