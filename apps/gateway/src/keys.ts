// npm run keys: the keys that access tokens are signed with.
//   list                     which there are, and from when on each signs
//   rotate [--in SECONDS]    adds one that signs from then on; those before it verify until their last token has expired
//   withdraw KID             takes one back that others may know: what it signed is refused from then on

import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { KeySeal } from './auth/keys/key-seal.js';
import { addKey, forgetKeys, lockKeys, storedKeys, withdrawKey } from './auth/keys/stored-keys.js';
import { MAX_TOKEN_SECONDS } from '@practice/settings';
import { readKeysConfig } from './gateway.config.js';

/** Callers keep the public keys for ten minutes: by then all have the new one, before anything is signed with it. */
const LEAD_SECONDS = 600;
/** No gateway lets its tokens live longer, give or take clocks and the moment a gateway hears of a key. */
const DEAD_AFTER_SECONDS = MAX_TOKEN_SECONDS + 3600;

const config = readKeysConfig();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { in: { type: 'string', default: String(LEAD_SECONDS) } },
});
const [verb = '', named] = positionals;
const leadSeconds = /^\d{1,6}$/.test(values.in) ? Number(values.in) : NaN;

const verbs = new Map(Object.entries({ list, rotate, withdraw }));
const run = (named !== undefined) === (verb === 'withdraw') ? verbs.get(verb) : undefined;

if (run === undefined || Number.isNaN(leadSeconds)) {
  process.stderr.write('Usage: npm run keys -- list | rotate [--in SECONDS] | withdraw KID\n');
  process.exit(2);
}
const client = new Client({ connectionString: config.databaseUrl, application_name: 'gateway keys' });
await client.connect();
try {
  await run();
} finally {
  await client.end();
}

async function list(): Promise<void> {
  for (const { kid, signsInMs } of await storedKeys(client, DEAD_AFTER_SECONDS)) {
    process.stdout.write(`${kid} signs from ${new Date(Date.now() + signsInMs).toISOString()}\n`);
  }
}

async function rotate(): Promise<void> {
  await client.query('BEGIN');
  await lockKeys(client);
  await forgetKeys(client, DEAD_AFTER_SECONDS);
  const kid = await addKey(client, new KeySeal(config.keyEncryptionKey), leadSeconds);
  await client.query('COMMIT');
  process.stdout.write(`${kid} signs in ${leadSeconds} s\n`);
}

async function withdraw(): Promise<void> {
  await client.query('BEGIN');
  await lockKeys(client);
  const isGone = await withdrawKey(client, new KeySeal(config.keyEncryptionKey), String(named));
  await client.query('COMMIT');
  process.stdout.write(isGone ? `${named} is withdrawn\n` : `there is no ${named}\n`);
  if (!isGone) process.exitCode = 1;
}
