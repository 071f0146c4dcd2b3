// A repeated request of an app for access that the person has already given.

import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  adminDatabase,
  auth,
  memberOf,
  newPractice,
  practiceOf,
  signIn,
  stack,
  type Practice,
  patientFetch,
} from '@practice/testing';
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { type App, asApp, begin, CALLBACK, connected, exchange, registeredApp } from './oauth-apps.js';

const admin = adminDatabase();
const SCOPE = 'appointments:read clients:read';
let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

/** An app with two redirect URIs. The person has given it access with the first URI. */
async function given({ person = practice, redirectUri = CALLBACK } = {}): Promise<App> {
  const app = await registeredApp(practice, { redirectUri });
  const changed = await practice.rest(`oauth_clients?id=eq.${app.clientId}`, {
    method: 'PATCH',
    body: { redirect_uris: [redirectUri, `${redirectUri}/other`] },
  });
  expect(changed.status).toBe(204);
  await connected(app, person, { scope: SCOPE, consent: { scopes: ['appointments:read'] } });
  return app;
}

/** The response to the consent page of a person: the question, or the URL that the browser goes to. */
async function asked(app: App, { scope = SCOPE, params = {}, person = practice } = {}) {
  const begun = await begin(app, scope, params);
  const { json } = await auth('GET', `oauth/authorizations/${begun.authorizationId}`, {
    token: person.token,
  });
  const { redirect_url: redirect } = json as { redirect_url?: string };
  return { begun, json, redirect };
}

describe('a repeated request', () => {
  it('is approved without a question, with the same grant', async () => {
    const app = await given();
    const { begun, redirect = '' } = await asked(app);
    const tokens = await exchange(app, begun, redirect);
    expect(tokens.scope).toBe('appointments:read');
    expect((await asApp(tokens.access_token, '/rest/v1/appointments')).status).toBe(200);
    const { json } = await practice.rest(`oauth_grants?client_id=eq.${app.clientId}`);
    expect(json).toHaveLength(1);
  });

  it('is approved for the real client, which gets the redirect', async () => {
    const app = await given();
    const supabase = createClient(stack().baseUrl, stack().apikey, {
      global: { fetch: patientFetch },
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    });
    const { email, password } = practice;
    expect((await supabase.auth.signInWithPassword({ email, password })).error).toBeNull();
    const begun = await begin(app, SCOPE);
    const { data, error } = await supabase.auth.oauth.getAuthorizationDetails(begun.authorizationId);
    expect(error).toBeNull();
    expect(data).toEqual({
      redirect_url: expect.stringMatching(/^https:\/\/calendar\.example\/callback\?code=/),
    });
  });

  it.each([
    ['another redirect', { params: { redirect_uri: `${CALLBACK}/other` } }],
    ['more scopes', { scope: `${SCOPE} clients:write` }],
    ['fewer scopes', { scope: 'appointments:read' }],
    ['another audience', { params: { resource: 'MCP' } }],
    ['prompt=consent', { params: { prompt: 'consent' } }],
  ])(
    'with %s needs a consent',
    async (_, { scope, params }: { scope?: string; params?: Record<string, string> }) => {
      const app = await given();
      const resource = params?.['resource'] && { resource: `${stack().baseUrl}/mcp` };
      const { json, redirect } = await asked(app, {
        ...(scope && { scope }),
        params: { ...params, ...resource },
      });
      expect(redirect).toBeUndefined();
      expect(json).toMatchObject({ client: { id: app.clientId } });
    },
  );

  it('of another person needs a consent', async () => {
    const app = await given();
    const { member } = await memberOf(practice, 'therapist');
    expect((await asked(app, { person: member })).redirect).toBeUndefined();
  });

  it('in another practice of the person needs a consent', async () => {
    const { member } = await memberOf(practice, 'therapist');
    const app = await given({ person: member });
    expect((await asked(app, { person: member })).redirect).toBeDefined();
    const home = { method: 'POST', body: { therapist_id: member.therapistId } };
    expect((await member.rest('rpc/switch_practice', home)).status).toBe(200);
    const person = practiceOf(member, await signIn(member));
    expect((await asked(app, { person })).redirect).toBeUndefined();
  });

  it('needs a consent after the grant has ended', async () => {
    const app = await given();
    await practice.rest(`oauth_grants?client_id=eq.${app.clientId}`, { method: 'DELETE' });
    expect((await asked(app)).redirect).toBeUndefined();
  });

  it('of a program on the user’s machine needs a consent, because any program there can pretend to be the app', async () => {
    const app = await given({ redirectUri: 'http://127.0.0.1/callback' });
    expect((await asked(app)).redirect).toBeUndefined();
  });

  it('is approved as long as the grant lasts', async () => {
    const app = await given();
    const { json } = await practice.rest(`oauth_grants?client_id=eq.${app.clientId}&select=id`);
    const [{ id }] = json as [{ id: string }];
    const hash = createHash('sha256').update(`Grant ${id}`).digest('base64url');
    const { rows } = await admin.query(
      `SELECT DISTINCT round(extract(epoch FROM expires_at - now()) / 86400) AS days FROM identity.oauth_payloads
       WHERE grant_hash = $1 OR id_hash = $1 ORDER BY days`,
      [hash],
    );
    expect(rows.map(({ days }: { days: string }) => Number(days))).toEqual([0, 90]);
  });
});
