// Apps that describe themselves: by registration (RFC 7591), which the operator permits, and by a document of a site with TLS.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPractice, ownStack, type OwnStack, type Practice, stack } from '@practice/testing';
import * as client from 'openid-client';
import pg from 'pg';
import { generate } from 'selfsigned';
import { type App, asApp, CALLBACK, configOf, connected } from './oauth-apps.js';

const LOCAL = 'http://localhost:3456/callback';
let own: OwnStack;
let origin: string;
let practice: Practice;
let admin: pg.Client;
/** The site of an app. It signs its own certificate, which only the identity service of this system trusts. */
let site: Server;
let siteUrl: string;
const authority = join(tmpdir(), `practice-authority-${process.pid}.pem`);
beforeAll(async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  writeFileSync(authority, cert);
  site = createServer({ cert, key }, ({ url }, response) => {
    const document = { client_id: `${siteUrl}${url}`, client_name: 'Site', redirect_uris: [CALLBACK] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  siteUrl = `https://localhost:${(site.address() as AddressInfo).port}`;
  own = await ownStack();
  const env = { BASE_URL: stack().baseUrl, OAUTH_DYNAMIC_REGISTRATION: 'yes' };
  const [gateway] = await Promise.all([
    own.start('gateway', env),
    own.start('identity', { ...env, NODE_EXTRA_CA_CERTS: authority }),
    own.start('scheduling'),
  ]);
  origin = gateway.origin;
  practice = await newPractice(origin);
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await own.stop();
  site.close();
  rmSync(authority);
});

async function register(body: object | string, at = origin) {
  const response = await fetch(`${at}/auth/v1/oauth/clients/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

async function registered(body: object): Promise<App & { readonly secret: string | undefined }> {
  const { status, json } = await register(body);
  expect([status, json]).toEqual([201, expect.anything()]);
  const { client_id: clientId, client_secret: secret } = json as {
    client_id: string;
    client_secret?: string;
  };
  const [redirectUri = ''] = json['redirect_uris'] as string[];
  return { clientId, secret, redirectUri, origin, config: await configOf(clientId, secret, origin) };
}

/** The number of days that the client is kept. */
async function daysOf({ clientId }: App): Promise<number> {
  const hash = createHash('sha256').update(`Client ${clientId}`).digest('base64url');
  const { rows } = await admin.query<{ days: string }>(
    `SELECT extract(epoch FROM expires_at - now()) / 86400 AS days FROM identity.oauth_payloads WHERE id_hash = $1`,
    [hash],
  );
  return Math.round(Number(rows[0]?.days));
}

describe('registration', () => {
  it('is off unless the operator turns it on', async () => {
    expect(await register({ redirect_uris: [CALLBACK] }, stack().baseUrl)).toEqual({
      status: 404,
      json: { error: 'invalid_request', error_description: expect.any(String) },
    });
  });

  it('is in the metadata of the server', async () => {
    const { json } = await asApp('', '/.well-known/oauth-authorization-server', { origin });
    expect(json).toMatchObject({
      registration_endpoint: `${stack().baseUrl}/auth/v1/oauth/clients/register`,
    });
  });

  it('of a program on the user’s machine gives access, and lasts as long as the grant', async () => {
    const app = await registered({
      ...{ client_name: 'Desk', redirect_uris: [LOCAL] },
      token_endpoint_auth_method: 'none',
    });
    expect(app.secret).toBeUndefined();
    expect(await daysOf(app)).toBe(1);
    const tokens = await connected(app, practice, 'appointments:read');
    expect((await asApp(tokens.access_token, '/rest/v1/appointments', { origin })).status).toBe(200);
    expect(await daysOf(app)).toBe(90);
    const next = await client.refreshTokenGrant(app.config, tokens.refresh_token ?? '');
    expect((await asApp(next.access_token, '/rest/v1/appointments', { origin })).status).toBe(200);
    const { json } = await practice.rest('oauth_grants');
    expect(json).toMatchObject([{ client_id: app.clientId, client_name: 'Desk' }]);
  });

  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'of an app on a server gives a secret, which is accepted by %s',
    async (token_endpoint_auth_method) => {
      const app = await registered({ redirect_uris: [CALLBACK], token_endpoint_auth_method });
      expect((await connected(app, practice, 'appointments:read')).access_token).toBeDefined();
      const wrong = { ...app, config: await configOf(app.clientId, 'wrong', origin) };
      const refused = connected(wrong, practice, 'appointments:read');
      await expect(refused).rejects.toMatchObject({ status: 401 });
    },
  );

  it.each([
    '{',
    '[]',
    {},
    { redirect_uris: [] },
    { redirect_uris: ['http://calendar.example/callback'] },
    { redirect_uris: ['javascript:alert(1)'] },
    { redirect_uris: [CALLBACK, 'http://10.0.0.1/callback'] },
    { redirect_uris: [`${CALLBACK}#x`] },
    { redirect_uris: [CALLBACK], grant_types: ['implicit'] },
    { redirect_uris: [CALLBACK], response_types: ['token'] },
    { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'private_key_jwt' },
  ])('of %j is refused', async (body) => {
    const { status, json } = await register(body);
    expect([status, json]).toEqual([
      400,
      { error: expect.stringMatching(/^invalid_/), error_description: expect.any(String) },
    ]);
  });
});

describe('a metadata document over TLS', () => {
  it('describes an app if its certificate is from a trusted authority', async () => {
    const clientId = `${siteUrl}/app`;
    const app = {
      clientId,
      redirectUri: CALLBACK,
      origin,
      config: await configOf(clientId, undefined, origin),
    };
    const tokens = await connected(app, practice, 'appointments:read');
    expect((await asApp(tokens.access_token, '/rest/v1/appointments', { origin })).status).toBe(200);
    const { json } = await practice.rest(`oauth_grants?client_id=eq.${encodeURIComponent(clientId)}`);
    expect(json).toMatchObject([{ client_name: 'Site' }]);
  });

  it('is refused with a certificate from an unknown authority', async () => {
    const query = new URLSearchParams({
      ...{ client_id: `${siteUrl}/app`, redirect_uri: CALLBACK, response_type: 'code' },
      ...{ scope: 'appointments:read', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    });
    const url = `${stack().baseUrl}/auth/v1/oauth/authorize?${query.toString()}`;
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.headers.get('location')).toBeNull();
    expect(await response.json()).toMatchObject({ error: 'invalid_client' });
  });
});
