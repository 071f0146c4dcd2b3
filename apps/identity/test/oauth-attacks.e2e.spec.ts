// Attacks on the OAuth server.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, eventually, memberOf, newPractice, type Practice, stack } from '@practice/testing';
import * as client from 'openid-client';
import {
  type App,
  answer,
  asApp,
  begin,
  CALLBACK,
  configOf,
  connected,
  registeredApp,
} from './oauth-apps.js';

const READ = '/rest/v1/appointments?limit=1';
let practice: Practice;
let app: App;
beforeAll(async () => {
  practice = await newPractice();
  app = await registeredApp(practice);
});

/** The address of an authorization, as an attacker changes it. */
async function authorize(changed: Record<string, string>, of = app, more = '') {
  const query = new URLSearchParams({
    ...{ client_id: of.clientId, redirect_uri: of.redirectUri, response_type: 'code' },
    ...{ scope: 'appointments:read', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    ...changed,
  });
  const url = `${stack().baseUrl}/auth/v1/oauth/authorize?${query.toString()}${more}`;
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  return { status: response.status, location, text: await response.text() };
}

async function approvedUrl(scope = 'appointments:read') {
  const begun = await begin(app, scope);
  const { json } = await answer(practice, begun);
  return { begun, url: new URL((json as { redirect_url: string }).redirect_url) };
}

const exchanged = (
  of: App,
  { begun, url }: Awaited<ReturnType<typeof approvedUrl>>,
  more?: URLSearchParams,
) =>
  client.authorizationCodeGrant(
    of.config,
    url,
    { pkceCodeVerifier: begun.verifier, expectedState: begun.state },
    more,
  );

describe('an authorization code', () => {
  it('ends the grant when it is used again', async () => {
    const approved = await approvedUrl();
    const tokens = await exchanged(app, approved);
    expect((await asApp(tokens.access_token, READ)).status).toBe(200);
    await expect(exchanged(app, approved)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await asApp(tokens.access_token, READ)).status).toBe(401);
  });

  it('is exchanged for a token of the granted resource, even if that is named twice', async () => {
    const { baseUrl } = stack();
    const twice = new URLSearchParams([
      ['resource', baseUrl],
      ['resource', baseUrl],
    ]);
    const { access_token: token } = await exchanged(app, await approvedUrl(), twice);
    expect((await asApp(token, READ)).status).toBe(200);
  });

  it('cannot be used by another app, or without the verifier', async () => {
    const other = await registeredApp(practice);
    const approved = await approvedUrl();
    await expect(exchanged(other, approved)).rejects.toMatchObject({ error: 'invalid_grant' });
    const guessed = { ...approved.begun, verifier: client.randomPKCECodeVerifier() };
    await expect(exchanged(app, { ...approved, begun: guessed })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('an authorization', () => {
  it.each([
    'https://calendar.example/callback/',
    'https://calendar.example/callback?next=https://evil.example',
    'https://calendar.example.evil.example/callback',
    'https://calendar.example@evil.example/callback',
    'http://calendar.example/callback',
    'javascript:alert(1)',
    'http://127.0.0.1:1/callback',
  ])('never leads to %s', async (redirect_uri) => {
    const { status, location, text } = await authorize({ redirect_uri });
    expect([status, location]).toEqual([400, null]);
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  it.each([
    { code_challenge_method: 'plain' },
    { code_challenge: '', code_challenge_method: '' },
    { response_type: 'token' },
    { resource: 'https://evil.example' },
    { response_mode: 'fragment' },
  ])('is refused with %j', async (changed) => {
    const { location } = await authorize(changed);
    expect(location).toMatch(/^https:\/\/calendar\.example\/callback[?#]error=/);
    // Errors name the server too, so that a client cannot mix up two servers (RFC 9207).
    expect(new URL((location ?? '').replace('#', '?')).searchParams.get('iss')).toBe(
      `${stack().baseUrl}/auth/v1`,
    );
  });

  it.each(['', '/mcp'])('is refused with the API and the API%s as its resources', async (other) => {
    const { baseUrl } = stack();
    const resource = `${baseUrl}${other}`;
    const { location } = await authorize(
      { resource: baseUrl },
      app,
      `&resource=${encodeURIComponent(resource)}`,
    );
    expect(location).toMatch(/^https:\/\/calendar\.example\/callback\?error=invalid_target&/);
  });

  it('accepts any port of an address on the machine of the user', async () => {
    const local = await registeredApp(practice, { kind: 'public', redirectUri: 'http://127.0.0.1/cb' });
    const { location } = await authorize({ redirect_uri: 'http://127.0.0.1:49152/cb' }, local);
    expect(location).toContain('authorization_id=');
    const other = await authorize({ redirect_uri: 'http://127.0.0.1:49152/other' }, local);
    expect(other.status).toBe(400);
  });

  it('of an app of another practice is refused', async () => {
    const stranger = await newPractice();
    expect(await answer(stranger, await begin(app, 'appointments:read'))).toMatchObject({
      status: 403,
      json: { error_code: 'oauth_client_not_allowed' },
    });
  });
});

describe('a grant', () => {
  it('never exceeds the role of the member, and ends with the membership', async () => {
    const { member, membershipId } = await memberOf(practice, 'billing');
    const begun = await begin(app, 'clients:write appointments:read');
    const wanted = { action: 'approve', scopes: ['clients:write'] };
    expect(await answer(member, begun, wanted)).toMatchObject({
      status: 403,
      json: { error_code: 'insufficient_role' },
    });
    const tokens = await connected(app, member, 'appointments:read');
    expect((await asApp(tokens.access_token, READ)).status).toBe(200);
    const removal = { method: 'PATCH', body: { status: 'removed' } };
    expect((await practice.rest(`memberships?id=eq.${membershipId}`, removal)).status).toBe(204);
    expect((await asApp(tokens.access_token, READ)).status).toBe(401);
    await eventually('the record of the grant is gone', async () => {
      const { json } = await practice.rest(`oauth_grants?user_id=eq.${member.therapistId}`);
      return (json as object[]).length === 0;
    });
  });

  it('is seen by its member and by owners', async () => {
    const { member } = await memberOf(practice, 'therapist');
    await connected(app, member, 'appointments:read');
    const own = (await member.rest('oauth_grants')).json as { user_id: string }[];
    expect(new Set(own.map(({ user_id: user }) => user)).size).toBe(1);
    const all = (await practice.rest('oauth_grants')).json as { user_id: string }[];
    expect(all.length).toBeGreaterThan(own.length);
  });

  it('for the assistant does not reach the API', async () => {
    const resource = `${stack().baseUrl}/mcp`;
    const begun = { scope: 'appointments:read', params: { resource } };
    const tokens = await connected(app, practice, begun);
    expect(await asApp(tokens.access_token, READ)).toMatchObject({ status: 401, json: { code: 'PGRST303' } });
  });
});

describe('a metadata document', () => {
  let server: Server;
  let base: string;
  let document: Record<string, unknown>;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/app' }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const of = (path: string): App => ({ ...app, clientId: `${base}${path}`, redirectUri: CALLBACK });

  it('describes an app that no practice has registered', async () => {
    document = {
      ...{ client_id: `${base}/app`, client_name: 'Pocket Calendar', redirect_uris: [CALLBACK] },
      grant_types: ['authorization_code', 'refresh_token'],
    };
    const pocket = { ...of('/app'), config: await configOf(`${base}/app`) };
    const tokens = await connected(pocket, practice, 'appointments:read');
    expect((await asApp(tokens.access_token, READ)).status).toBe(200);
    const { json } = await practice.rest(`oauth_grants?client_id=eq.${encodeURIComponent(`${base}/app`)}`);
    expect(json).toMatchObject([{ client_name: 'Pocket Calendar' }]);
  });

  it('that changes between fetches does not redirect a code, and needs a new consent', async () => {
    const clientId = `${base}/app`;
    const described = (redirect: string) => ({ client_id: clientId, redirect_uris: [redirect] });
    document = described(CALLBACK);
    const pocket = { ...of('/app'), config: await configOf(clientId) };
    const first = await begin(pocket, 'appointments:read');
    const { json } = await answer(practice, first);
    document = described('https://evil.example/callback');
    const stolen = new URL((json as { redirect_url: string }).redirect_url);
    const taken = new URL(`https://evil.example/callback${stolen.search}`);
    await expect(exchanged(pocket, { begun: first, url: taken })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect((await authorize({}, pocket)).location).toBeNull();
    const evil = { ...pocket, redirectUri: 'https://evil.example/callback' };
    const { authorizationId } = await begin(evil, 'appointments:read');
    const asked = await auth('GET', `oauth/authorizations/${authorizationId}`, { token: practice.token });
    expect(asked.json).toMatchObject({ redirect_uri: 'https://evil.example/callback' });
  });

  it.each([
    ['/other', {}],
    ['/moved', {}],
    ['/app', { client_secret: 'x' }],
    ['/app', { redirect_uris: 'https://evil.example' }],
    ['/app', { redirect_uris: [CALLBACK, 'http://calendar.example/callback'] }],
    ['/large', { filler: 'x'.repeat(70_000) }],
  ])('at %s with %j is refused', async (path, more) => {
    document = { client_id: `${base}/app`, redirect_uris: [CALLBACK], ...more };
    if (path === '/large') document['client_id'] = `${base}/large`;
    expect((await authorize({}, of(path))).location).toBeNull();
  });

  it.each([
    'https://10.0.0.1/app',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/app',
    'https://metadata.internal/app',
    'https://127.0.0.1.nip.io@10.0.0.1/app',
    'http://10.0.0.1/app',
  ])('at %s is not fetched', async (client_id) => {
    const { status, location, text } = await authorize({ client_id });
    expect([status, location]).toEqual([expect.any(Number), null]);
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_client' });
  });
});
