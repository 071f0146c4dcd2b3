// The key-encryption keys of the services, which seal secrets and the keys of clients in the database. Each service reads its own
// from files, so that they can change while it runs. They are kept with the other secrets.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './operator.config.js';
import { writePrivately } from '../common/private-file.js';
import { randomSecret, type Secrets } from './secrets.js';
import { storedServices } from './services.js';

/** Key-encryption keys for one purpose, the newest first. */
export interface KeyList {
  /** The service that reads them. */
  readonly service: string;
  /** The name of their file. */
  readonly file: string;
  /** Their name among the secrets. */
  readonly secret: string;
}

/** The keys that seal the keys of clients of a service: `PERSONAL_KEYS`. */
export const personalKeysOf = (service: string): KeyList => ({
  service,
  file: `${service}.keys`,
  secret: `personal_keys_${service}`,
});

/** The keys that seal the secrets of the identity service: `KEY_ENCRYPTION_KEY`. */
export const identityKeys: KeyList = {
  service: 'identity',
  file: 'identity-secrets.keys',
  secret: 'key_encryption_key',
};

/** The lists of all services. */
export const keyLists: readonly KeyList[] = [
  ...storedServices.map(({ name }) => personalKeysOf(name)),
  identityKeys,
];

/** The setting of a service that reads the keys from their file. @param folder the folder of the file, from the view of the service */
export const keySettingIn = (folder: string, { file }: KeyList): string => `file:${join(folder, file)}`;

/**
 * The keys, separated by commas: the setting of a program that does not see their file.
 * @throws {Error} if they do not exist: only `writeKeyFiles` makes keys, since new ones would open nothing
 */
export const keysOf = (secrets: Secrets, { secret }: KeyList): string => secrets.existing(secret);

/** The keys that the operator set, which replace our own keys; undefined if the operator set no keys. */
export const operatorsKeys = (
  { KEY_ENCRYPTION_KEY }: Pick<Settings, 'KEY_ENCRYPTION_KEY'>,
  { secret }: KeyList,
): string | undefined =>
  secret === identityKeys.secret && KEY_ENCRYPTION_KEY ? KEY_ENCRYPTION_KEY : undefined;

export type WriteKeyFile = (keys: KeyList, content: string) => void;

/** The folder with these files in a data folder. */
export const keysFolderOf = (dataDir: string): string => join(dataDir, 'keys');

/** Writes the files in a folder, readable only by their owner. */
export const keyFilesIn =
  (folder: string): WriteKeyFile =>
  ({ file }, content) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writePrivately(join(folder, file), content);
  };

/** Writes the files of all lists except keys that the operator set. Makes keys that do not exist yet. */
export function writeKeyFiles(
  { secrets, settings }: { readonly secrets: Secrets; readonly settings: Settings },
  write: WriteKeyFile,
): void {
  for (const keys of keyLists)
    if (operatorsKeys(settings, keys) === undefined) write(keys, `${secrets.get(keys.secret)}\n`);
}

/** The store in which the keys of a list are replaced. */
export type KeyStore = () => { readonly secrets: Secrets; readonly write: WriteKeyFile };

/**
 * Replaces the newest key of a list. The processes find the new key in the file. The old keys stay in the file until everything is
 * sealed again. Another command may replace the same key meanwhile: each step reads the list again, and removes only keys that were
 * old when this command began.
 * @param sealAgain seals with the new key all values that are sealed with older keys
 * @returns the exit code of `sealAgain`
 */
export async function rotateKeys(
  list: KeyList,
  open: KeyStore,
  sealAgain: () => Promise<number>,
): Promise<number> {
  const change = (next: (keys: readonly string[]) => readonly string[]): void => {
    const { secrets, write } = open();
    const keys = next(keysOf(secrets, list).split(',')).join();
    secrets.set(list.secret, keys);
    secrets.save();
    write(list, `${keys}\n`);
  };
  // A transaction that is still open may store a text that is sealed with the previous key, so this key stays.
  const [, ...replaced] = keysOf(open().secrets, list).split(',');
  change((keys) => [randomSecret(), ...keys]);
  const code = await sealAgain();
  if (code === 0) change((keys) => keys.filter((key) => !replaced.includes(key)));
  return code;
}
