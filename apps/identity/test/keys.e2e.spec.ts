import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  adminDatabase,
  auth,
  call,
  eventually,
  newPractice,
  ownStack,
  patient,
  readStatus,
  type Session,
  signIn,
  stack,
} from '@practice/testing';
import jwt from 'jsonwebtoken';
import { KeySeal, storedKeys, withdrawKey } from '../src/keys/stored-keys.js';
import { tablesOn } from '../src/store/database.js';
import { keysCommand, kidOf, secretsOf } from './keys-command.js';

const admin = adminDatabase();
let other: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
beforeAll(async () => {
  other = await stack().spawnProcess('gateway');
});
afterAll(async () => {
  await other.stop();
});

const keys = (...args: string[]): Promise<string> => keysCommand(stack(), args);

const seal = (): KeySeal => new KeySeal(secretsOf(stack())['key_encryption_key'] ?? '');

/** A token as an attacker could sign it with a leaked key. */
async function signedWith(kid: string, token: string): Promise<string> {
  const { rows } = await admin.query<{ sealed: string }>(
    'SELECT sealed_private_key AS sealed FROM identity.signing_keys WHERE kid = $1',
    [kid],
  );
  const key = seal().open(rows[0]?.sealed ?? '', kid) ?? kid;
  return jwt.sign(jwt.decode(token) as object, key, { algorithm: 'ES256', keyid: kid });
}

const published = async (origin?: string): Promise<string[]> => {
  const answer = await call('/auth/v1/.well-known/jwks.json', origin === undefined ? {} : { origin });
  return (answer.json as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
};

describe('a new signing key', () => {
  it('signs in the running system, and no user is signed out', async () => {
    const practice = await newPractice();
    const before = (await signIn(practice)).json as Session;
    const [kid = ''] = (await keys('rotate', '--in', '0')).split(' ');
    const after = await eventually('both gateways sign with it', async () => {
      const answers = await Promise.all(
        [undefined, other.origin].map((origin) => patient(() => signIn(practice, origin))),
      );
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
      await admin.query('DELETE FROM identity.signing_keys WHERE kid = $1', [kid]);
    }
  });

  it('keeps the old public key until the last token has expired, and then deletes it', async () => {
    const began = {
      ancient: '6 days',
      old: '5 days',
      dead: '3 hours',
      alive: '2 hours',
      young: '50 minutes',
    };
    const insert = `INSERT INTO identity.signing_keys (kid, public_jwk, signs_from)
      SELECT $1, public_jwk, now() - $2::interval FROM identity.signing_keys LIMIT 1`;
    const remaining = async (): Promise<string[]> => {
      const { rows } = await admin.query<{ kid: string }>('SELECT kid FROM identity.signing_keys');
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
      await admin.query('DELETE FROM identity.signing_keys WHERE kid = ANY ($1)', [Object.keys(began)]);
    }
  });

  it('is refused after it is withdrawn, even by a gateway that accepted it before', async () => {
    const practice = await newPractice();
    const [kid = ''] = (await keys('rotate')).split(' ');
    const stolen = await signedWith(kid, practice.token);
    for (const origin of [undefined, other.origin])
      await eventually('it is accepted', async () => (await readStatus(stolen, origin)) === 200);
    expect(await keys('withdraw', kid)).toBe(`${kid} is withdrawn\n`);
    for (const origin of [undefined, other.origin]) {
      await eventually('it is refused', async () => (await readStatus(stolen, origin)) === 401);
      expect(await readStatus(practice.token, origin)).toBe(200);
      expect(await published(origin)).not.toContain(kid);
    }
    await expect(keys('withdraw', kid)).rejects.toMatchObject({ code: 1 });
  });

  it('signs at once in place of a withdrawn key', async () => {
    await admin.query('BEGIN');
    try {
      const signing = async (): Promise<string | undefined> =>
        (await storedKeys(tablesOn(admin), 0)).findLast(({ signsInMs }) => signsInMs <= 0)?.kid;
      const before = await signing();
      const { rows } = await admin.query<{ kid: string }>('SELECT kid FROM identity.signing_keys');
      expect(await withdrawKey(tablesOn(admin), seal(), before ?? '')).toBe(true);
      expect(rows.map(({ kid }) => kid)).not.toContain(await signing());
    } finally {
      await admin.query('ROLLBACK');
    }
  });

  it('is sealed in the database', async () => {
    const { rows } = await admin.query('SELECT * FROM identity.signing_keys');
    expect(JSON.stringify(rows)).not.toMatch(/"d"|PRIVATE/);
    for (const row of rows) expect(row).toMatchObject({ sealed_private_key: expect.stringMatching(/^v1\./) });
  });

  it('is made by a process that can open no key, and tokens of other keys stay valid', async () => {
    // This case has its own system, because a process with another key would fail the requests of other specs.
    const own = await ownStack();
    try {
      const started = ['gateway', 'identity', 'scheduling'].map((service) => own.start(service));
      const [{ origin } = { origin: '' }] = await Promise.all(started);
      const { token } = await newPractice(origin);
      await own.start('identity', { KEY_ENCRYPTION_KEY: 'another secret of at least 32 characters' });
      const made = await eventually('the process signs', async () => {
        const practice = await newPractice(origin);
        return kidOf(practice.token) === kidOf(token) ? undefined : practice.token;
      });
      for (const one of [token, made ?? '']) expect(await readStatus(one, origin)).toBe(200);
    } finally {
      await own.stop();
    }
  });

  it('is not made when the command is called wrongly', async () => {
    const refused = [['forget'], ['constructor'], ['rotate', '--in', 'soon'], ['withdraw']].map((args) =>
      keys(...args),
    );
    for (const one of await Promise.allSettled(refused))
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 2 } });
  });
});
