// The versions of nats-server in which the vulnerabilities known at this release are fixed; SECURITY.md lists them.
import { Failure } from '../common/failure.js';

/** The first fixed version of each release line. Later lines are fixed; all other lines are not. */
const FIXED = ['2.12.12', '2.14.3'] as const;
const NEWEST = FIXED[FIXED.length - 1] as string;

/**
 * Warns about a nats-server with known vulnerabilities.
 * @throws {Failure} in production
 */
export function reviewVersion(
  version: string,
  { isProduction, say }: { readonly isProduction: boolean; readonly say: (line: string) => void },
): void {
  if (isFixed(version)) return;
  const problem =
    `nats-server ${version || 'of an unknown version'} has known vulnerabilities (see SECURITY.md). ` +
    `Install ${FIXED.join(', or ')}, or newer.`;
  if (isProduction) throw new Failure(problem);
  say(`  Warning: ${problem}`);
}

/** A version that cannot be read, or a preview of the first fixed one, does not count as fixed. */
export function isFixed(version: string): boolean {
  const [, number = '', line, preview] = /^v?((\d+\.\d+)\.\d+)(-.+)?$/.exec(version) ?? [];
  const fixed = FIXED.find((one) => one.startsWith(`${line}.`)) ?? NEWEST;
  const order = number.localeCompare(fixed, 'en', { numeric: true });
  return order > 0 || (order === 0 && preview === undefined);
}
