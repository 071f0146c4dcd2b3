// Seals the secrets in the database again with the newest key-encryption key, while the service runs.

import { sealColumnsAgain } from '@practice/privacy';
import type { SealedAgain, SealedColumn } from '@practice/privacy';
import type { ClientBase } from 'pg';
import { SECOND_FACTORS } from './factor-secrets.js';
import { SIGNING_KEYS } from './key-seal.js';

const columns: readonly SealedColumn[] = [
  { purpose: SIGNING_KEYS, table: 'signing_keys', column: 'sealed_private_key', id: 'kid' },
  { purpose: SECOND_FACTORS, table: 'mfa_factors', column: 'sealed_secret', id: 'id' },
];

/**
 * @param client of the owner of the schema
 * @param keyEncryptionKey as of `Keyring`
 */
export const sealSecretsAgain = (client: ClientBase, keyEncryptionKey: string): Promise<SealedAgain> =>
  sealColumnsAgain(client, { service: 'identity', columns }, keyEncryptionKey);
