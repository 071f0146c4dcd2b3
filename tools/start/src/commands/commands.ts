// The commands of the operator on this machine. They use the running servers of the data folder, or servers that are started for a command.
import { join, resolve } from 'node:path';
import {
  externalServers,
  Failure,
  keyFilesIn,
  keySettingIn,
  keysFolderOf,
  noteRestore,
  openSecrets,
  operatorsKeys,
  readSettings,
  requireData,
  requireTarget,
  restore,
  runCommand,
  say,
  type ServerAccess,
  type Servers,
  stagesShownBy,
  type Surroundings,
} from '@practice/operator';
import { noteVerification } from '../monitoring/verifications.js';
import { runningServers } from '../stack/run-file.js';
import { startStack } from '../stack/stack.js';
import { changeUsers } from './users.js';

/** Runs a command, and sets the exit code. */
export const run = (name: string, args: readonly string[]): Promise<void> =>
  // A migration is written for an empty database.
  runCommand(name, args, name === 'migration' ? { ...here, withServers } : here);

const dataFolder = (): string => resolve(readSettings().DATA_DIR);

type LocalServers = Servers & { readonly adminDatabaseUrl: string };

/** Uses the running servers. If none are running, starts the folder's own for the command, with new data if the folder has none. */
async function withServers<T>(use: (servers: LocalServers) => Promise<T>): Promise<T> {
  const settings = readSettings();
  const dataDir = dataFolder();
  const running = runningServers(dataDir);
  const folder = keysFolderOf(dataDir);
  const keys: Pick<Servers, 'keySetting' | 'keyStore'> = {
    keySetting: (list) => operatorsKeys(settings, list) ?? keySettingIn(folder, list),
    keyStore: () => ({ secrets: openSecrets(dataDir), write: keyFilesIn(folder) }),
  };
  if (running) return use({ ...running, ...keys });
  const stack = await startStack({ settings, onlyServers: true, print: say });
  try {
    return await use({ ...stack, ...keys });
  } finally {
    await stack.stop();
  }
}

/** The servers of a system that has been started before. */
const withStoredData: ServerAccess = async (use) => {
  requireData(dataFolder());
  return withServers(use);
};

const here: Surroundings = {
  withServers: withStoredData,
  runningServers: () => {
    const running = runningServers(dataFolder());
    if (running === undefined) throw new Failure('The system is not running. Start it with npm start.');
    return running;
  },
  changeUsers: (args) => changeUsers(dataFolder(), args),
  noteVerification: (service, isIntact) => noteVerification(dataFolder(), service, isIntact),
  beginEpochs: beginEpochsHere,
  backups: () => {
    const [settings, dataDir] = [readSettings(), dataFolder()];
    return {
      target: requireTarget(settings),
      elsewhere: externalServers(settings),
      scratch: dataDir,
      folder: () => {
        requireData(dataDir);
        return join(dataDir, 'postgres');
      },
      withPostgres: (use) => withServers(({ adminDatabaseUrl }) => use(adminDatabaseUrl)),
    };
  },
  restore: async (wanted) => {
    const settings = readSettings();
    const [target, dataDir] = [requireTarget(settings), dataFolder()];
    const began = performance.now();
    const reached = await restore({ dataDir, target, stages: stagesShownBy(say), ...wanted });
    say(`The database is as it was after the change of ${reached}.`);
    const stack = await startStack({ settings, onlyServers: true, print: say });
    await stack.stop();
    say(`Restored in ${((performance.now() - began) / 1000).toFixed(1)} s. Start the system with npm start.`);
  },
};

/** Notes a restore and starts the servers. The next start does the same, so it continues an interrupted command. */
async function beginEpochsHere(): Promise<void> {
  const dataDir = dataFolder();
  requireData(dataDir);
  if (runningServers(dataDir)) throw new Failure('The system runs. Stop it first.');
  noteRestore(dataDir, 'restored');
  await withStoredData(() => Promise.resolve());
}
