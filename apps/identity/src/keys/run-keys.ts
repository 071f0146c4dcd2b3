// Commands on the keys that sign access tokens. `npm run keys` runs them.
//   list                     the keys, and when each begins to sign
//   rotate [--in SECONDS]    adds a key that signs from then on; older keys verify until their last token has expired
//   withdraw KID             withdraws a key that has leaked: tokens signed with it are refused from now on
//   seal-again               seals all secrets with the newest KEY_ENCRYPTION_KEY: a part of `npm run keys -- rotate-secrets`

import { parseArgs } from 'node:util';
import { withOpenClient } from '@practice/log';
import { sealColumnsAgain, type SealedColumn } from '@practice/privacy';
import { readOwnerUrl, withBus } from '@practice/recovery';
import { MAX_TOKEN_SECONDS } from '@practice/settings';
import type { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { readKeyEncryptionKey } from '../identity.config.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { tablesOn } from '../store/database.js';
import { deleteDeadKeys, lockKeys } from '../store/raw-sql.js';
import { OAUTH_PAYLOADS, SECOND_FACTORS } from './signing-keys.js';
import { addKey, KeySeal, SIGNING_KEYS, storedKeys, withdrawKey } from './stored-keys.js';

// Seals the secrets in the database again with the newest key-encryption key, while the service runs.

const columns: readonly SealedColumn[] = [
  { purpose: SIGNING_KEYS, table: 'signing_keys', column: 'sealed_private_key', id: 'kid' },
  { purpose: OAUTH_PAYLOADS, table: 'oauth_payloads', column: 'sealed_payload', id: 'id_hash' },
  { purpose: SECOND_FACTORS, table: 'mfa_factors', column: 'sealed_secret', id: 'id' },
];

/** Callers cache the public keys for ten minutes, so they all have a new key before it signs. */
const LEAD_SECONDS = 600;
/** Longer than any token lives, with a margin for clocks and for processes that load a key late. */
const DEAD_AFTER_SECONDS = MAX_TOKEN_SECONDS + 3600;

const USAGE = 'Usage: npm run keys -- list | rotate [--in SECONDS] | withdraw KID | rotate-secrets\n';

/** Runs a command. The process ends with status 2 for a wrong call, and with 1 when the key does not exist. */
export async function keys(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { in: { type: 'string', default: String(LEAD_SECONDS) } },
  });
  const [verb = '', named] = positionals;
  const seconds = /^\d{1,6}$/.test(values.in) ? Number(values.in) : NaN;
  const isCalledRight = (named !== undefined) === (verb === 'withdraw') && !Number.isNaN(seconds);
  const run = isCalledRight ? verbs.get(verb) : undefined;
  if (run === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
    return;
  }
  const config = { connectionString: readOwnerUrl(), application_name: 'identity keys' };
  await withOpenClient(config, async (client) => {
    const keyEncryptionKey = readKeyEncryptionKey();
    const seal = new KeySeal(keyEncryptionKey);
    await run({ client, keyEncryptionKey, seal, seconds, named: named ?? '' });
  });
}

interface Command {
  readonly client: Client;
  readonly keyEncryptionKey: string;
  readonly seal: KeySeal;
  readonly seconds: number;
  readonly named: string;
}

const verbs = new Map(Object.entries({ list, rotate, withdraw, 'seal-again': sealAgain }));

async function list({ client }: Command): Promise<void> {
  for (const { kid, signsInMs } of await storedKeys(tablesOn(client), DEAD_AFTER_SECONDS)) {
    process.stdout.write(`${kid} signs from ${new Date(Date.now() + signsInMs).toISOString()}\n`);
  }
}

async function rotate({ client, seal, seconds }: Command): Promise<void> {
  const kid = await changed(client, async (tables) => {
    await tables.query(...deleteDeadKeys(DEAD_AFTER_SECONDS));
    return addKey(tables, seal, seconds);
  });
  await announce();
  process.stdout.write(`${kid} signs in ${seconds} s\n`);
}

async function withdraw({ client, seal, named: kid }: Command): Promise<void> {
  const isGone = await changed(client, (tables) => withdrawKey(tables, seal, kid));
  if (isGone) await announce(kid);
  process.stdout.write(isGone ? `${kid} is withdrawn\n` : `there is no ${kid}\n`);
  if (!isGone) process.exitCode = 1;
}

async function sealAgain({ client, keyEncryptionKey }: Command): Promise<void> {
  const which = { service: 'identity', columns };
  const { sealed, unopened } = await sealColumnsAgain(client, which, keyEncryptionKey);
  const [are, stay] = [
    sealed === 1 ? 'secret is' : 'secrets are',
    unopened === 1 ? 'secret: it stays as it is' : 'secrets: they stay as they are',
  ];
  process.stdout.write(`identity: ${sealed} ${are} sealed with the new key\n`);
  if (unopened > 0) process.stdout.write(`no key opens ${unopened} ${stay}\n`);
}

async function changed<T>(client: Client, work: (tables: EntityManager) => Promise<T>): Promise<T> {
  const tables = tablesOn(client);
  await client.query('BEGIN');
  await lockKeys(tables);
  const result = await work(tables);
  await client.query('COMMIT');
  return result;
}

/** Notifies the gateways. */
const announce = (withdrawnKey?: string): Promise<void> =>
  withBus('identity', 'keys', (connection) =>
    new GatewayAnnouncements(connection).stateChanged(withdrawnKey),
  );
