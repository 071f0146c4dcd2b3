// The key that seals the secrets of identity is replaced while the service runs, with the real client.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { adminDatabase, npmRun, readStatus, stack } from '@practice/testing';
import jwt from 'jsonwebtoken';
import { FactorSecrets } from '../src/keys/signing-keys.js';
import { KeySeal } from '../src/keys/stored-keys.js';
import { codeOf, enrolled, signedIn, tokenOf } from './mfa-accounts.js';

const admin = adminDatabase();

const keysOf = (): string[] =>
  readFileSync(join(stack().dataDir, 'keys', 'identity-secrets.keys'), 'utf8')
    .trim()
    .split(',');

const rotate = async (): Promise<void> =>
  expect(await npmRun('keys', ['rotate-secrets'])).toMatchObject({ status: 0 });

it('rotate-secrets seals all secrets with a new key, while users and their factors continue to work', async () => {
  const { supabase, email, factorId, secret } = await enrolled();
  const token = await tokenOf(supabase);
  const kid = jwt.decode(token, { complete: true })?.header.kid ?? '';
  const [original = ''] = keysOf();
  await rotate();
  expect(keysOf().slice(1)).toEqual([original]);
  await rotate();
  expect(keysOf()).toHaveLength(2);
  expect(keysOf()).not.toContain(original);

  const [newest = ''] = keysOf();
  const { rows } = await admin.query<{ key: string; factor: string }>(
    `SELECT (SELECT sealed_private_key FROM identity.signing_keys WHERE kid = $1) AS key,
       (SELECT sealed_secret FROM identity.mfa_factors WHERE id = $2) AS factor`,
    [kid, factorId],
  );
  expect(new KeySeal(newest).open(rows[0]?.key ?? '', kid)).toBeDefined();
  expect(new FactorSecrets({ keyEncryptionKey: newest }).open(rows[0]?.factor ?? '', factorId)).toBeDefined();

  expect(await readStatus(token)).toBe(200);
  expect((await supabase.auth.refreshSession()).error).toBeNull();
  const again = await signedIn(email);
  const code = codeOf(secret, 1);
  expect((await again.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  expect(await readStatus(await tokenOf(again))).toBe(200);
});
