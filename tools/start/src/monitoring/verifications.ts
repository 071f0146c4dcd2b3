// DATA_DIR/verified.json: the last result of `npm run log -- verify` for each service, for the metrics of the supervisor.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@practice/operator';

export interface Verification {
  /** ISO 8601. */
  readonly at: string;
  /** False if a log is broken or could not be checked. */
  readonly isIntact: boolean;
}

const fileIn = (dataDir: string): string => join(dataDir, 'verified.json');

/** The last result for each service that was checked. */
export function readVerifications(dataDir: string): Readonly<Partial<Record<string, Verification>>> {
  const file = fileIn(dataDir);
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Record<string, Verification>>)
    : {};
}

export function noteVerification(dataDir: string, service: string, isIntact: boolean): void {
  const noted = { ...readVerifications(dataDir), [service]: { at: new Date().toISOString(), isIntact } };
  writePrivately(fileIn(dataDir), `${JSON.stringify(noted, null, 2)}\n`);
}
