// The OAuth server as third-party apps use it, with `openid-client`.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, memberOf, newPractice, type Practice, stack } from '@practice/testing';
import * as client from 'openid-client';
import { type App, answer, asApp, begin, connected, exchange, registeredApp } from './oauth-apps.js';

let practice: Practice;
let app: App;
beforeAll(async () => {
  practice = await newPractice();
  app = await registeredApp(practice);
});

const READ = '/rest/v1/appointments?limit=1';

describe('the metadata of the OAuth server', () => {
  it.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/auth/v1',
    '/.well-known/openid-configuration',
    '/auth/v1/.well-known/openid-configuration',
    '/auth/v1/.well-known/oauth-authorization-server',
  ])('is the same at %s', async (path) => {
    const { json } = await asApp('', path);
    const issuer = `${stack().baseUrl}/auth/v1`;
    expect(json).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: expect.arrayContaining(['offline_access', 'appointments:read']),
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    });
    expect(json).not.toHaveProperty('registration_endpoint');
  });

  it('names only endpoints and features that the server supports', async () => {
    const { json } = await asApp('', '/.well-known/oauth-authorization-server');
    const metadata = json as Record<string, string>;
    const names = Object.keys(metadata).filter((name) => name.endsWith('_endpoint'));
    expect(names.toSorted()).toEqual(
      ['authorization', 'device_authorization', 'introspection', 'revocation', 'token', 'userinfo'].map(
        (name) => `${name}_endpoint`,
      ),
    );
    for (const name of names) {
      const isGet = name === 'authorization_endpoint' || name === 'userinfo_endpoint';
      const { status } = await fetch(metadata[name] ?? '', { method: isGet ? 'GET' : 'POST' });
      expect([name, status]).not.toEqual([name, 404]);
    }
    expect(metadata).not.toHaveProperty('dpop_signing_alg_values_supported');
  });

  it.each([
    ['/.well-known/oauth-protected-resource', ''],
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
  ])('of the resource at %s names the server', async (path, resource) => {
    expect((await asApp('', path)).json).toMatchObject({
      resource: `${stack().baseUrl}${resource}`,
      authorization_servers: [`${stack().baseUrl}/auth/v1`],
    });
  });
});

describe('an app with a grant', () => {
  it('can read the granted resources, and nothing else', async () => {
    const tokens = await connected(app, practice, 'appointments:read offline_access openid');
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'appointments:read' });
    expect(tokens.claims()).toMatchObject({ sub: practice.therapistId, aud: app.clientId });
    expect(await asApp(tokens.access_token, READ)).toMatchObject({ status: 200 });
    expect(await asApp(tokens.access_token, '/rest/v1/clients')).toMatchObject({
      status: 403,
      json: { message: 'permission denied: this app lacks the scope clients:read' },
    });
    expect((await asApp(tokens.access_token, READ, { method: 'DELETE' })).status).toBe(403);
    for (const path of ['/auth/v1/user', '/auth/v1/tokens', '/auth/v1/user/oauth/grants'])
      expect([path, (await asApp(tokens.access_token, path)).status]).toEqual([path, 403]);
    expect(await asApp(tokens.access_token, '/auth/v1/oauth/userinfo')).toEqual({
      status: 200,
      json: { sub: practice.therapistId, therapist_id: practice.therapistId },
    });
  });

  it('gets the address and the name of the person only with the scopes for them', async () => {
    const named = { method: 'PATCH', body: { display_name: 'Ada Lovelace' } };
    const own = `memberships?user_id=eq.${practice.therapistId}`;
    expect((await practice.rest(own, named)).status).toBe(204);
    const { email } = practice;
    for (const [scope, claims] of [
      ['email', { email }],
      ['profile', { name: 'Ada Lovelace' }],
      ['email profile', { email, name: 'Ada Lovelace' }],
    ] as const) {
      const tokens = await connected(app, practice, `openid ${scope} appointments:read`);
      const userInfo = await asApp(tokens.access_token, '/auth/v1/oauth/userinfo');
      const sub = { sub: practice.therapistId };
      expect(userInfo.json).toEqual({ ...sub, therapist_id: practice.therapistId, ...claims });
    }
    const { json } = await practice.rest('oauth_grants?order=created_at.desc&limit=1');
    expect(json).toMatchObject([{ scopes: ['appointments:read'] }]);
    const blank = { method: 'PATCH', body: { display_name: null } };
    expect((await practice.rest(own, blank)).status).toBe(204);
  });

  it('gets the address of a member of a practice that another person has opened', async () => {
    const { member } = await memberOf(practice, 'therapist');
    const tokens = await connected(app, member, 'openid email appointments:read');
    expect((await asApp(tokens.access_token, '/auth/v1/oauth/userinfo')).json).toEqual({
      ...{ sub: member.therapistId, therapist_id: practice.therapistId },
      email: member.email,
    });
  });

  it('may have a name of any hundred characters', async () => {
    const named = await registeredApp(practice, { name: `a${'😀'.repeat(99)}` });
    const tokens = await connected(named, practice, 'appointments:read');
    expect((await asApp(tokens.access_token, READ)).status).toBe(200);
  });

  it('keeps its access by refreshing, with a new refresh token each time', async () => {
    const first = await connected(app, practice, 'appointments:read');
    const second = await client.refreshTokenGrant(app.config, first.refresh_token ?? '');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await asApp(second.access_token, READ)).status).toBe(200);
  });

  it('is refused from the next request on after the grant is revoked', async () => {
    const tokens = await connected(app, practice, 'appointments:read');
    expect((await asApp(tokens.access_token, READ)).status).toBe(200);
    await client.tokenRevocation(app.config, tokens.refresh_token ?? '');
    expect(await asApp(tokens.access_token, READ)).toMatchObject({ status: 401, json: { code: 'PGRST303' } });
    await expect(client.refreshTokenGrant(app.config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('can check whether its refresh token is valid', async () => {
    const { refresh_token: token = '' } = await connected(app, practice, 'appointments:read');
    expect(await client.tokenIntrospection(app.config, token)).toMatchObject({
      active: true,
      client_id: app.clientId,
      sub: practice.therapistId,
    });
  });

  it('appears in the history as the person through the app, and its changes can be undone together', async () => {
    const tokens = await connected(app, practice, 'clients:write');
    const made = await asApp(tokens.access_token, '/rest/v1/clients', {
      method: 'POST',
      body: { name: 'Ada Lovelace' },
    });
    expect(made).toMatchObject({ status: 201 });
    const [{ id }] = made.json as [{ id: string }];
    const history = await practice.rest(`clients_history?id=eq.${id}`);
    expect(history.json).toMatchObject([
      {
        actor: 'user',
        actor_id: practice.therapistId,
        actor_name: `${practice.email} via Calendar Sync`,
        oauth_client_id: app.clientId,
      },
    ]);
    const undone = await practice.rest('rpc/undo', {
      method: 'POST',
      body: { oauth_client_id: app.clientId, since: new Date(Date.now() - 60_000).toISOString() },
    });
    expect(undone).toMatchObject({ status: 200, json: [{ resource: 'clients', id }] });
  });

  it('is listed in the grants of the practice with its last use, and a DELETE ends the grant', async () => {
    const tokens = await connected(app, practice, {
      scope: 'appointments:read',
      consent: { ask: 'always' },
    });
    expect((await asApp(tokens.access_token, READ)).status).toBe(200);
    const { json } = await practice.rest('oauth_grants?order=created_at.desc&limit=1');
    const [grant] = json as [{ id: string }];
    expect(grant).toMatchObject({
      client_id: app.clientId,
      client_name: 'Calendar Sync',
      user_id: practice.therapistId,
      scopes: ['appointments:read'],
      ask: 'always',
      last_used_at: expect.any(String),
      last_used_address: '127.0.0.1',
    });
    expect((await practice.rest(`oauth_grants?id=eq.${grant.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await asApp(tokens.access_token, READ)).status).toBe(401);
    const events = await eventually('three events', async () => {
      const path = `security_events?token_id=eq.${grant.id}&select=kind`;
      const { json: found } = await practice.rest(path);
      return (found as object[]).length === 3 ? (found as object[]) : undefined;
    });
    expect(events).toEqual(
      expect.arrayContaining(
        ['oauth_granted', 'oauth_grant_used', 'oauth_grant_revoked'].map((kind) => ({ kind })),
      ),
    );
  });

  it('loses its access when the app is deleted', async () => {
    const short = await registeredApp(practice);
    const tokens = await connected(short, practice, 'appointments:read');
    expect((await asApp(tokens.access_token, READ)).status).toBe(200);
    await practice.rest(`oauth_clients?id=eq.${short.clientId}`, { method: 'DELETE' });
    expect((await asApp(tokens.access_token, READ)).status).toBe(401);
  });
});

describe('an answer of the person', () => {
  it('names the server (RFC 9207) and the state of the app', async () => {
    const begun = await begin(app, 'appointments:read');
    const { json } = await answer(practice, begun);
    const url = new URL((json as { redirect_url: string }).redirect_url);
    expect(url.searchParams.get('iss')).toBe(`${stack().baseUrl}/auth/v1`);
    expect(url.searchParams.get('state')).toBe(begun.state);
    await exchange(app, begun, url.href);
  });

  it('is accepted once', async () => {
    const begun = await begin(app, 'appointments:read');
    const both = await Promise.all([answer(practice, begun), answer(practice, begun)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await answer(practice, begun)).status).toBe(404);
  });

  it('gives no session notes and no wildcard scope unless it names them', async () => {
    const scope = 'appointments:read sessions:read *:read';
    expect((await connected(app, practice, scope)).scope).toBe('appointments:read');
    const named = { scope, consent: { scopes: ['sessions:read'] } };
    expect((await connected(app, practice, named)).scope).toBe('sessions:read');
  });

  it('gives nothing that the app does not ask for', async () => {
    const begun = await begin(app, 'appointments:read');
    const beyond = { action: 'approve', scopes: ['clients:read'] };
    expect(await answer(practice, begun, beyond)).toMatchObject({
      status: 400,
      json: { error_code: 'validation_failed' },
    });
  });
});
