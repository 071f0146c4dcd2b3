// DATA_DIR/verified.json: the last result of `npm run log -- verify` for each service, for the metrics of the supervisor.
import { jsonFile } from '@practice/operator';

interface Verification {
  /** ISO 8601. */
  readonly at: string;
  /** False if a log is broken or could not be checked. */
  readonly isIntact: boolean;
}

const file = jsonFile<Readonly<Partial<Record<string, Verification>>>>('verified.json');

/** The last result for each service that was checked. */
export const readVerifications = (dataDir: string) => file.read(dataDir) ?? {};

export function noteVerification(dataDir: string, service: string, isIntact: boolean): void {
  const verification = { at: new Date().toISOString(), isIntact };
  file.write(dataDir, { ...readVerifications(dataDir), [service]: verification });
}
