// The settings of the commands of a service, each read when a command needs it.

import { keyEncryptionOf, type KeyEncryption } from '@practice/log';
import { processSettings, readTable, type Environment } from '@practice/settings';

const { DATABASE_URL, RELAY_DATABASE_URL, NATS_URL, PERSONAL_KEYS } = processSettings;

/** For programs that change a service's schema: logs in as its owner. */
export const readOwnerUrl = (environment: Environment = process.env): string =>
  readTable({ DATABASE_URL }, environment).DATABASE_URL;

/** The key-encryption keys of a service, as of `Keyring`. */
export const readPersonalKeys = (environment: Environment = process.env): string =>
  readTable({ PERSONAL_KEYS }, environment).PERSONAL_KEYS;

/** For programs that seal or open personal values. */
export const readKeyEncryption = (environment: Environment = process.env): KeyEncryption =>
  keyEncryptionOf(readPersonalKeys(environment));

/** For programs that read a service's events: logs in to NATS as the service. */
export const readNatsUrl = (environment: Environment = process.env): string =>
  readTable({ NATS_URL }, environment).NATS_URL;

/** For programs that publish a service's log: the relay role, and NATS. */
export function readRelaySettings(environment: Environment = process.env): {
  readonly relayDatabaseUrl: string;
  readonly natsUrl: string;
} {
  const values = readTable({ RELAY_DATABASE_URL, NATS_URL }, environment);
  return { relayDatabaseUrl: values.RELAY_DATABASE_URL, natsUrl: values.NATS_URL };
}
