// npm run log, on this machine.
import { resolve } from 'node:path';
import { Failure, log as logOn, noteRestore, readSettings, requireData } from '@practice/operator';
import { noteVerification } from '../monitoring/verifications.js';
import { runningServers } from '../stack/run-file.js';
import { withStoredData } from './access.js';

/** The results are kept for the metrics of the supervisor. */
export const log = (args: readonly string[]): Promise<void> =>
  logOn(args, {
    access: withStoredData,
    note: (service, isIntact) => noteVerification(resolve(readSettings().DATA_DIR), service, isIntact),
    beginEpochs: beginEpochsHere,
  });

/** The next start would do the same: an interrupted command is carried on by it. */
async function beginEpochsHere(): Promise<void> {
  const dataDir = resolve(readSettings().DATA_DIR);
  requireData(dataDir);
  if (runningServers(dataDir)) throw new Failure('The system runs. Stop it first.');
  noteRestore(dataDir, 'restored');
  await withStoredData(() => Promise.resolve(0));
}
