// The Debian packages that drills need, and the versions of their programs.
import { programPath, run } from '@practice/operator';
import { Missing } from './means.js';

export interface Wanted {
  readonly program: string;
  /** The Debian package. */
  readonly debian: string;
  /** The oldest version that is accepted. */
  readonly since: `${number}.${number}`;
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
  const printed = await printedVersion(found, versionOption);
  const [version] = /\d+\.\d+/.exec(printed) ?? [];
  if (version === undefined) throw new Missing(`${found} ${versionOption} prints no version: ${printed}`);
  if (version.localeCompare(since, 'en', { numeric: true }) >= 0) return found;
  throw new Missing(`${program} ${since} or newer is needed; ${found} is ${version}.`);
}

/** The output of a program that is asked for its version. */
export const printedVersion = async (file: string, option = '--version'): Promise<string> =>
  (await run(file, [option])).trim();
