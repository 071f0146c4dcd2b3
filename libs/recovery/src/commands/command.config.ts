// The settings of the commands of a service, each read when a command needs it.

import { keyEncryptionOf, type KeyEncryption } from '@practice/log';
import { processSettings, readTable } from '@practice/settings';

const { DATABASE_URL, RELAY_DATABASE_URL, NATS_URL, PERSONAL_KEYS } = processSettings;

/** For programs that change a service's schema: logs in as its owner. */
export const readOwnerUrl = (): string => readTable({ DATABASE_URL }, process.env).DATABASE_URL;

/** For programs that read or publish a service's log: logs in as the relay role. */
export const readRelayUrl = (): string => readTable({ RELAY_DATABASE_URL }, process.env).RELAY_DATABASE_URL;

/** For programs that use the bus: logs in as the service. */
export const readNatsUrl = (): string => readTable({ NATS_URL }, process.env).NATS_URL;

/** The key-encryption keys of a service, as of `Keyring`. */
export const readPersonalKeys = (): string => readTable({ PERSONAL_KEYS }, process.env).PERSONAL_KEYS;

/** For programs that seal or open personal values. */
export const readKeyEncryption = (): KeyEncryption => keyEncryptionOf(readPersonalKeys());
