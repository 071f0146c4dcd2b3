// The secrets of apps that a practice has registered.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { adminDatabase, memberOf, newPractice, type Practice } from '@practice/testing';
import * as client from 'openid-client';
import { type App, configOf, connected, registeredApp } from './oauth-apps.js';

const admin = adminDatabase();
let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

interface Connected {
  readonly app: App;
  readonly token: string;
}

async function connectedApp(): Promise<Connected> {
  const app = await registeredApp(practice);
  const { refresh_token: token = '' } = await connected(app, practice, 'appointments:read');
  return { app, token };
}

const rotate = (body: object, person = practice) =>
  person.rest('rpc/rotate_client_secret', { method: 'POST', body });

async function rotated({ clientId }: App, more: object = {}): Promise<client.Configuration> {
  const { status, json } = await rotate({ client_id: clientId, ...more });
  expect(status).toBe(200);
  return configOf(clientId, (json as { secret: string }).secret);
}

/** Whether the secret of a configuration is valid: the app asks for the state of its refresh token. */
const counts = (config: client.Configuration, token: string): Promise<boolean> =>
  client.tokenIntrospection(config, token).then(
    ({ active }) => active,
    (error: { status?: number }) => {
      expect(error.status).toBe(401);
      return false;
    },
  );

describe('a rotated secret', () => {
  it('stays valid for 24 hours beside the next secret', async () => {
    const { app, token } = await connectedApp();
    const next = await rotated(app);
    expect([await counts(app.config, token), await counts(next, token)]).toEqual([true, true]);
    const { rows } = await admin.query(
      `SELECT ends_at - now() BETWEEN interval '23 hours 59 minutes' AND interval '24 hours' AS "isDay"
       FROM identity.oauth_client_secrets WHERE client_id = $1 AND ends_at IS NOT NULL`,
      [app.clientId],
    );
    expect(rows).toEqual([{ isDay: true }]);
    await admin.query(
      `UPDATE identity.oauth_client_secrets SET ends_at = now() WHERE client_id = $1 AND ends_at IS NOT NULL`,
      [app.clientId],
    );
    expect([await counts(app.config, token), await counts(next, token)]).toEqual([false, true]);
  });

  it('ends at once with {revoke: true}', async () => {
    const { app, token } = await connectedApp();
    const next = await rotated(app, { revoke: true });
    expect([await counts(app.config, token), await counts(next, token)]).toEqual([false, true]);
  });

  it('ends with the next rotation', async () => {
    const { app, token } = await connectedApp();
    const second = await rotated(app);
    const third = await rotated(app);
    expect(await Promise.all([app.config, second, third].map((one) => counts(one, token)))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is shown as a change in the history of the app, without the secret', async () => {
    const { app } = await connectedApp();
    await rotated(app);
    const { json } = await practice.rest(`oauth_clients_history?id=eq.${app.clientId}&order=version`);
    const [made, changed] = json as [{ after: object }, { after: object }];
    expect(changed.after).toEqual({ secret_rotated_at: expect.any(String) });
    expect(made.after).toMatchObject({ secret: null });
  });

  it('is made by owners, for confidential apps of their practice', async () => {
    const app = await registeredApp(practice);
    const open = await registeredApp(practice, { kind: 'public' });
    const [stranger, { member }] = [await newPractice(), await memberOf(practice, 'therapist')];
    expect((await rotate({ client_id: app.clientId }, member)).status).toBe(403);
    for (const refused of [
      await rotate({ client_id: app.clientId }, stranger),
      await rotate({ client_id: open.clientId }),
    ])
      expect(refused).toMatchObject({ status: 404, json: { code: 'PM404' } });
  });
});
