// The versions of nats-server in which the vulnerabilities known at this release are fixed; SECURITY.md lists them.
import { Failure } from '../common/failure.js';

/** The first fixed version of each release line. Later lines are fixed; all other lines are not. */
const FIXED = ['2.12.12', '2.14.3'] as const;

export interface VersionReview {
  readonly isProduction: boolean;
  readonly say: (line: string) => void;
}

/**
 * Warns about a nats-server with known vulnerabilities.
 * @throws {Failure} in production
 */
export function reviewVersion(version: string, { isProduction, say }: VersionReview): void {
  if (isFixed(version)) return;
  const problem =
    `nats-server ${version || 'of an unknown version'} has known vulnerabilities (see SECURITY.md). ` +
    `Install ${FIXED.join(', or ')}, or newer.`;
  if (isProduction) throw new Failure(problem);
  say(`  Warning: ${problem}`);
}

/** A version that cannot be read, or a preview of the first fixed one, does not count as fixed. */
export function isFixed(version: string): boolean {
  const [major, minor, patch, preview] = partsOf(version);
  const lines = FIXED.map((fixed) => partsOf(fixed));
  const newest = lines.at(-1) as Parts;
  if (major !== newest[0]) return major > newest[0];
  if (minor > newest[1]) return true;
  return lines.some(
    (line) => minor === line[1] && (patch > line[2] || (patch === line[2] && preview === undefined)),
  );
}

type Parts = [major: number, minor: number, patch: number, preview: string | undefined];

function partsOf(version: string): Parts {
  const [, major, minor, patch, preview] = /^v?(\d+)\.(\d+)\.(\d+)(-.+)?$/.exec(version) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0), preview];
}
