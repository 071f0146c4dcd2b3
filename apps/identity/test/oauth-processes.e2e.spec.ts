// One app whose requests go to two gateways and two identity processes.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPractice, ownStack, patient, signIn, stack } from '@practice/testing';
import type { OwnStack, Practice, Session } from '@practice/testing';
import * as client from 'openid-client';
import pg from 'pg';
import { keysCommand, kidOf } from './keys-command.js';
import {
  type App,
  answer,
  asApp,
  begin,
  configOf,
  connected,
  exchange,
  registeredApp,
} from './oauth-apps.js';

const READ = '/rest/v1/appointments?limit=1';
let own: OwnStack;
let admin: pg.Client;
let origins: [string, string];
let practice: Practice;
let app: App;
/** The configuration of the app for the other gateway, with the secret that has replaced the first secret. */
let second: client.Configuration;

beforeAll(async () => {
  own = await ownStack();
  const env = { BASE_URL: stack().baseUrl };
  const [one, other] = await Promise.all([
    own.start('gateway', env),
    own.start('gateway', env),
    own.start('identity', env),
    own.start('identity', env),
    own.start('scheduling'),
  ]);
  origins = [one.origin, other.origin];
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
  practice = await newPractice(one.origin);
  app = { ...(await registeredApp(practice, { origin: one.origin })), origin: one.origin };
  const body = { client_id: app.clientId };
  const rotated = await practice.rest('rpc/rotate_client_secret', { method: 'POST', body });
  second = await configOf(app.clientId, (rotated.json as { secret: string }).secret, other.origin);
});
afterAll(async () => {
  await admin.end();
  await own.stop();
});

/** The status of a read with this token in each gateway. */
const reads = (token: string): Promise<number[]> =>
  Promise.all(origins.map(async (origin) => (await asApp(token, READ, { origin })).status));

it('an authorization code is exchanged once, even by two processes at the same time', async () => {
  const begun = await begin(app, 'appointments:read');
  const { redirect_url: url } = (await answer(practice, begun)).json as { redirect_url: string };
  const both = await Promise.allSettled(
    [app, { ...app, config: second }].map((one) => exchange(one, begun, url)),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

describe('a refresh token', () => {
  it('that two processes use at the same time leads to one next token', async () => {
    const { refresh_token: token = '' } = await connected(app, practice, 'appointments:read');
    const [one, other] = await Promise.all([
      client.refreshTokenGrant(app.config, token),
      client.refreshTokenGrant(second, token),
    ]);
    expect(one.refresh_token).toBe(other.refresh_token);
    expect(await reads(other.access_token)).toEqual([200, 200]);
  });

  it('that is used again later ends the grant in every gateway', async () => {
    const first = await connected(app, practice, 'appointments:read');
    const { refresh_token: token = '' } = first;
    const next = await client.refreshTokenGrant(second, token);
    expect(await reads(next.access_token)).toEqual([200, 200]);
    await admin.query(`UPDATE identity.oauth_payloads SET consumed_at = consumed_at - interval '11 seconds'
      WHERE consumed_at IS NOT NULL`);
    await expect(client.refreshTokenGrant(app.config, token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(await reads(next.access_token)).toEqual([401, 401]);
    const late = client.refreshTokenGrant(app.config, next.refresh_token ?? '');
    await expect(late).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

it('a signing key that is withdrawn is not used by any process', async () => {
  /** The keys that signed the tokens of many sign-ins. With so many, each process has signed a token. */
  const inUse = async (): Promise<unknown[]> => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => patient(() => signIn(practice, app.origin))),
    );
    return [...new Set(answers.map(({ json }) => kidOf((json as Session).access_token)))];
  };
  /** Whether a condition is met within a few rounds. An announcement is there at once. Without it, a process reads the keys once a minute. */
  const isSoon = async (isMet: (kids: readonly unknown[]) => boolean): Promise<boolean> => {
    for (let round = 0; round < 5; round += 1) if (isMet(await inUse())) return true;
    return false;
  };
  const [kid = ''] = (await keysCommand(own, ['rotate', '--in', '0'])).split(' ');
  expect(await isSoon((kids) => String(kids) === kid)).toBe(true);
  expect(await keysCommand(own, ['withdraw', kid])).toBe(`${kid} is withdrawn\n`);
  expect(await isSoon((kids) => !kids.includes(kid))).toBe(true);
});
