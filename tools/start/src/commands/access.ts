// The servers of this machine for a command: the running ones, or ones that are started for it.
import { resolve } from 'node:path';
import {
  keyFilesIn,
  keySettingIn,
  keysFolderOf,
  openSecrets,
  operatorsKeys,
  readSettings,
  requireData,
  type ServerAccess,
  type Servers,
} from '@practice/operator';
import { runningServers } from '../stack/run-file.js';
import { startStack } from '../stack/stack.js';

/** The servers of a system that has been started before. */
export const withStoredData: ServerAccess = (use) => {
  requireData(resolve(readSettings().DATA_DIR));
  return withServers(use);
};

/** The running servers of the data folder. If none run, its own are started for the command, with new data if the folder has no data. */
export const withServers: ServerAccess = async (use) => {
  const settings = readSettings();
  const dataDir = resolve(settings.DATA_DIR);
  const running = runningServers(dataDir);
  const folder = keysFolderOf(dataDir);
  const keys: Pick<Servers, 'keySetting' | 'keyStore'> = {
    keySetting: (list) => operatorsKeys(settings, list) ?? keySettingIn(folder, list),
    keyStore: () => ({ secrets: openSecrets(dataDir), write: keyFilesIn(folder) }),
  };
  if (running) return use({ ...running, ...keys });
  const stack = await startStack({
    settings,
    onlyServers: true,
    print: (line) => process.stdout.write(`${line}\n`),
  });
  try {
    return await use({ ...stack, ...keys });
  } finally {
    await stack.stop();
  }
};
