// The end of the access of an app that its practice deletes.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OauthClient } from '@practice/contracts';
import { run } from '@practice/log';
import { openPool, TenantDatabase } from '@practice/storage';
import { eventually, newPractice, stack } from '@practice/testing';
import { ClientEffect } from '../src/oauth/oauth-effects.js';
import { clientOf } from '../src/store/database.js';
import { Transactions } from '../src/store/transactions.js';
import { asApp, connected, registeredApp } from './oauth-apps.js';

let database: TenantDatabase;
beforeAll(() => {
  const url = stack().databaseUrl('identity');
  const pool = openPool({ service: 'identity', url, connections: 1, onError: () => undefined });
  database = new TenantDatabase('identity', pool, { connections: 1, statementMs: 10_000 });
});
afterAll(() => database.close());

it('ends even if the process that deletes the app is killed after the commit', async () => {
  const practice = await newPractice();
  const [app, kept] = [await registeredApp(practice), await registeredApp(practice)];
  const tokens = await connected(app, practice, 'appointments:read');
  const others = await connected(kept, practice, 'appointments:read');
  const read = async ({ access_token: token }: typeof tokens): Promise<number> =>
    (await asApp(token, '/rest/v1/appointments?limit=1')).status;
  expect([await read(tokens), await read(others)]).toEqual([200, 200]);

  const { json } = await practice.rest(`oauth_clients?id=eq.${app.clientId}`);
  const [before = null] = json as OauthClient[];
  const { therapistId } = practice;
  const grants = {} as ConstructorParameters<typeof ClientEffect>[0];
  const { statements } = new ClientEffect(grants).begin([{ therapistId, before, after: null }]);
  await new Transactions(database).run({ therapistId }, async (tables) => {
    const connection = await clientOf(tables);
    for (const statement of statements) await run(connection, statement);
  });

  await eventually('the access has ended', async () => (await read(tokens)) === 401);
  const left = await practice.rest('oauth_grants?select=client_id');
  expect([await read(others), left.json]).toEqual([200, [{ client_id: kept.clientId }]]);
});
