import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, eventually, newPractice, stack } from '@practice/testing';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import { auth, readStatus, signIn } from '../testing/sessions.js';
import type { Session } from '../testing/sessions.js';
import { KeySeal } from './key-seal.js';
import { storedKeys, withdrawKey } from './stored-keys.js';

let admin: pg.Client;
let other: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: stack().adminDatabaseUrl });
  await admin.connect();
  other = await stack().spawnProcess('gateway');
});
afterAll(async () => {
  await other.stop();
  await admin.end();
});

const root = join(import.meta.dirname, '..', '..', '..', '..', '..');
const secrets = () =>
  JSON.parse(readFileSync(join(stack().dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;

/** The command as `npm run keys` runs it, on the running system. */
async function keys(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'apps/gateway/dist/keys.js'), ...args],
    {
      env: {
        DATABASE_URL: stack().databaseUrl('gateway_owner'),
        KEY_ENCRYPTION_KEY: secrets()['key_encryption_key'],
      },
    },
  );
  return stdout;
}

const seal = (): KeySeal => new KeySeal(secrets()['key_encryption_key'] ?? '');

/** What somebody makes of a token who has come to know the key. */
async function signedWith(kid: string, token: string): Promise<string> {
  const { rows } = await admin.query<{ sealed: string }>(
    'SELECT sealed_private_key AS sealed FROM gateway.signing_keys WHERE kid = $1',
    [kid],
  );
  const key = seal().open(rows[0]?.sealed ?? '', kid) ?? kid;
  return jwt.sign(jwt.decode(token) as object, key, { algorithm: 'ES256', keyid: kid });
}

const kidOf = (token: string): unknown => jwt.decode(token, { complete: true })?.header.kid;
const published = async (origin?: string): Promise<string[]> => {
  const answer = await call('/auth/v1/.well-known/jwks.json', origin === undefined ? {} : { origin });
  return (answer.json as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
};

describe('a new signing key', () => {
  it('signs at running gateways, and nobody is signed out', async () => {
    const practice = await newPractice();
    const before = (await signIn(practice)).json as Session;
    const [kid = ''] = (await keys('rotate', '--in', '0')).split(' ');
    const after = await eventually('both gateways sign with it', async () => {
      const answers = await Promise.all([signIn(practice), signIn(practice, other.origin)]);
      const tokens = answers.map(({ json }) => (json as Session).access_token);
      return tokens.every((token) => kidOf(token) === kid) ? tokens : undefined;
    });
    for (const origin of [undefined, other.origin])
      for (const token of [practice.token, before.access_token, ...(after ?? [])])
        expect(await readStatus(token, origin)).toBe(200);
    expect(await published()).toEqual(expect.arrayContaining([kid, kidOf(before.access_token)]));
    const refreshed = await auth('POST', 'token?grant_type=refresh_token', {
      body: { refresh_token: before.refresh_token },
    });
    expect(kidOf((refreshed.json as Session).access_token)).toBe(kid);
  });

  it('is published before it signs', async () => {
    const practice = await newPractice();
    const [kid = ''] = (await keys('rotate')).split(' ');
    try {
      for (const origin of [undefined, other.origin])
        await eventually('it is published', async () => (await published(origin)).includes(kid));
      expect(kidOf(((await signIn(practice)).json as Session).access_token)).not.toBe(kid);
      expect(await keys('list')).toContain(kid);
    } finally {
      await admin.query('DELETE FROM gateway.signing_keys WHERE kid = $1', [kid]);
    }
  });

  it('leaves the old public key until the last token has expired; then it is forgotten', async () => {
    const began = {
      ancient: '6 days',
      old: '5 days',
      dead: '3 hours',
      alive: '2 hours',
      young: '50 minutes',
    };
    const insert = `INSERT INTO gateway.signing_keys (kid, public_jwk, signs_from)
      SELECT $1, public_jwk, now() - $2::interval FROM gateway.signing_keys LIMIT 1`;
    const remaining = async (): Promise<string[]> => {
      const { rows } = await admin.query<{ kid: string }>('SELECT kid FROM gateway.signing_keys');
      return rows.map(({ kid }) => kid).filter((kid) => kid in began);
    };
    try {
      for (const [kid, age] of Object.entries(began)) await admin.query(insert, [kid, age]);
      await keys('rotate', '--in', '0');
      await eventually('gateways have read them', async () => (await published()).includes('young'));
      // A key is superseded when the next one begins to sign; its tokens live an hour from then.
      expect((await published()).filter((kid) => kid in began)).toEqual(['alive', 'young']);
      expect((await remaining()).sort()).toEqual(['alive', 'dead', 'old', 'young']);
    } finally {
      await admin.query('DELETE FROM gateway.signing_keys WHERE kid = ANY ($1)', [Object.keys(began)]);
    }
  });

  it('is believed no longer once it is withdrawn, also where it was a moment ago', async () => {
    const practice = await newPractice();
    const [kid = ''] = (await keys('rotate')).split(' ');
    const stolen = await signedWith(kid, practice.token);
    for (const origin of [undefined, other.origin])
      await eventually('it is believed', async () => (await readStatus(stolen, origin)) === 200);
    expect(await keys('withdraw', kid)).toBe(`${kid} is withdrawn\n`);
    for (const origin of [undefined, other.origin]) {
      await eventually('it is not believed', async () => (await readStatus(stolen, origin)) === 401);
      expect(await readStatus(practice.token, origin)).toBe(200);
      expect(await published(origin)).not.toContain(kid);
    }
    await expect(keys('withdraw', kid)).rejects.toMatchObject({ code: 1 });
  });

  it('signs at once in place of a withdrawn one', async () => {
    await admin.query('BEGIN');
    try {
      const signing = async (): Promise<string | undefined> =>
        (await storedKeys(admin, 0)).findLast(({ signsInMs }) => signsInMs <= 0)?.kid;
      const before = await signing();
      const { rows } = await admin.query<{ kid: string }>('SELECT kid FROM gateway.signing_keys');
      expect(await withdrawKey(admin, seal(), before ?? '')).toBe(true);
      expect(rows.map(({ kid }) => kid)).not.toContain(await signing());
    } finally {
      await admin.query('ROLLBACK');
    }
  });

  it('is sealed in the database', async () => {
    const { rows } = await admin.query('SELECT * FROM gateway.signing_keys');
    expect(JSON.stringify(rows)).not.toMatch(/"d"|PRIVATE/);
    for (const row of rows) expect(row).toMatchObject({ sealed_private_key: expect.stringMatching(/^v1\./) });
  });

  it('is made by a gateway that can open none, which still believes the others’ tokens', async () => {
    const { token } = await newPractice();
    const lost = await stack().spawnProcess('gateway', {
      KEY_ENCRYPTION_KEY: 'another secret of at least 32 characters',
    });
    try {
      expect(await readStatus(token, lost.origin)).toBe(200);
      const { token: made } = await newPractice(lost.origin);
      expect(kidOf(made)).not.toBe(kidOf(token));
      await eventually('the first gateway believes it', async () => (await readStatus(made)) === 200);
    } finally {
      await lost.stop();
    }
  });

  it('is refused to the command where it is told nonsense', async () => {
    const refused = [['forget'], ['constructor'], ['rotate', '--in', 'soon'], ['withdraw']].map((args) =>
      keys(...args),
    );
    for (const one of await Promise.allSettled(refused))
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 2 } });
  });
});
