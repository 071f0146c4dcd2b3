// npm run backup and npm run restore: the built-in Postgres of this machine.
import { join, resolve } from 'node:path';
import { messageOf } from '@practice/process';
import {
  backupOf,
  Failure,
  type Place,
  readSettings,
  requireData,
  requireTarget,
  restore as restoreFrom,
  say,
  type Settings,
  stagesShownBy,
  type Target,
  wantedTime,
} from '@practice/operator';
import { runningPostgres } from '../stack/run-file.js';
import { startStack } from '../stack/stack.js';

export const backup = (args: readonly string[]): Promise<void> =>
  reported(() => backupOf(placeOf(dataFolder()), args));

/** `[--to TIME|gap] [--timeline NUMBER]`: puts the database of the backup into DATA_DIR, and begins an epoch in every log. */
export function restore(args: readonly string[]): Promise<void> {
  return reported(async () => {
    const wanted = wantedTime(args);
    const { target, dataDir, settings } = dataFolder();
    const began = performance.now();
    const reached = await restoreFrom({ dataDir, target, stages: stagesShownBy(say), ...wanted });
    say(`The database is as it was after the change of ${reached}.`);
    const stack = await startStack({ settings, onlyServers: true, print: say });
    await stack.stop();
    say(`Restored in ${((performance.now() - began) / 1000).toFixed(1)} s. Start the system with npm start.`);
  });
}

interface DataFolder {
  readonly settings: Settings;
  readonly target: Target;
  readonly dataDir: string;
}

const dataFolder = (): DataFolder => {
  const settings = readSettings();
  return { settings, target: requireTarget(settings), dataDir: resolve(settings.DATA_DIR) };
};

const placeOf = ({ settings, target, dataDir }: DataFolder): Place => ({
  target,
  scratch: dataDir,
  folder: () => {
    requireData(dataDir);
    return join(dataDir, 'postgres');
  },
  withPostgres: (use) => withPostgres(settings, use),
});

/** Uses the running Postgres, or one that is started for the work. */
async function withPostgres<T>(settings: Settings, use: (url: string) => Promise<T>): Promise<T> {
  const running = runningPostgres(resolve(settings.DATA_DIR));
  if (running !== undefined) return use(running);
  const stack = await startStack({ settings, onlyServers: true, print: say });
  try {
    return await use(stack.adminDatabaseUrl);
  } finally {
    await stack.stop();
  }
}

async function reported(work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${error instanceof Failure ? error.message : messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
