// The settings of a service's commands. Each setting is read when a command needs it.

import { keyEncryptionOf, type Keyring } from '@practice/log';
import { processSettings, readTable } from '@practice/settings';

const { DATABASE_URL, RELAY_DATABASE_URL, NATS_URL, PERSONAL_KEYS } = processSettings;

/** The database URL for programs that change a service's schema. It logs in as the owner of the schema. */
export const readOwnerUrl = (): string => readTable({ DATABASE_URL }, process.env).DATABASE_URL;

/** The database URL for programs that read or publish a service's log. It logs in as the relay role. */
export const readRelayUrl = (): string => readTable({ RELAY_DATABASE_URL }, process.env).RELAY_DATABASE_URL;

/** The NATS URL for programs that use the bus. It logs in as the service. */
export const readNatsUrl = (): string => readTable({ NATS_URL }, process.env).NATS_URL;

/** The key-encryption keys of a service, in the format of `Keyring`. */
export const readPersonalKeys = (): string => readTable({ PERSONAL_KEYS }, process.env).PERSONAL_KEYS;

/** The key encryption for programs that encrypt or decrypt personal values. */
export const readKeyEncryption = (): Keyring => keyEncryptionOf(readPersonalKeys());
