// Consent by the real client of Supabase, on the page of the gateway, and for a device.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPractice, type Practice, stack, patientFetch } from '@practice/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import * as client from 'openid-client';
import { WebSocket } from 'ws';
import { type App, asApp, begin, exchange, registeredApp } from './oauth-apps.js';

let practice: Practice;
let app: App;
beforeAll(async () => {
  practice = await newPractice();
  app = await registeredApp(practice);
});

describe('supabase.auth.oauth', () => {
  let supabase: SupabaseClient;
  beforeAll(async () => {
    supabase = createClient(stack().baseUrl, stack().apikey, {
      global: { fetch: patientFetch },
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    });
    const { email, password } = practice;
    expect((await supabase.auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  it('shows and approves a request, and lists and revokes the grant', async () => {
    const begun = await begin(app, 'appointments:read email');
    const { oauth } = supabase.auth;
    expect(await oauth.getAuthorizationDetails(begun.authorizationId)).toMatchObject({
      error: null,
      data: {
        authorization_id: begun.authorizationId,
        redirect_uri: app.redirectUri,
        client: { id: app.clientId, name: 'Calendar Sync' },
        user: { id: practice.therapistId, email: practice.email },
        scope: 'email appointments:read',
      },
    });
    const { data } = await oauth.approveAuthorization(begun.authorizationId);
    const tokens = await exchange(app, begun, data?.redirect_url ?? '');
    expect(await oauth.listGrants()).toMatchObject({
      error: null,
      data: [{ client: { id: app.clientId }, scopes: ['appointments:read'], granted_at: expect.any(String) }],
    });
    expect(await oauth.revokeGrant({ clientId: app.clientId })).toEqual({ data: {}, error: null });
    expect((await asApp(tokens.access_token, '/rest/v1/appointments')).status).toBe(401);
    expect(await oauth.listGrants()).toMatchObject({ data: [] });
    expect((await oauth.revokeGrant({ clientId: app.clientId })).error).toMatchObject({
      code: 'oauth_grant_not_found',
    });
  });

  it('denies a request', async () => {
    const begun = await begin(app, 'appointments:read');
    const { data } = await supabase.auth.oauth.denyAuthorization(begun.authorizationId);
    expect(data?.redirect_url).toContain('error=access_denied');
    await expect(exchange(app, begun, data?.redirect_url ?? '')).rejects.toMatchObject({
      error: 'access_denied',
    });
  });
});

/** Visits a page as a browser does. */
async function visit(path: string, { cookie = '', form, origin }: Visit = {}) {
  const response = await fetch(`${stack().baseUrl}/oauth/${path}`, {
    method: form === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: {
      cookie,
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(origin !== undefined && { origin }),
    },
    ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
  });
  const jar = response.headers.getSetCookie().map((one) => one.split(';')[0]);
  return {
    status: response.status,
    headers: response.headers,
    html: await response.text(),
    location: response.headers.get('location') ?? '',
    cookie: jar.join('; '),
  };
}

interface Visit {
  readonly cookie?: string;
  readonly form?: [string, string][];
  readonly origin?: string;
}

describe('the consent page', () => {
  const signedIn = async (next: string): Promise<string> => {
    const form: [string, string][] = [
      ['email', practice.email],
      ['password', practice.password],
      ['next', next],
    ];
    const { status, location, cookie } = await visit('sign-in', { form, origin: stack().baseUrl });
    expect([status, location]).toEqual([303, next]);
    return cookie;
  };

  it.each(['soon', '1e12', '-1', '366'])('refuses an expiry in "%s" days', async (days) => {
    const begun = await begin(app, 'appointments:read');
    const next = `consent?authorization_id=${begun.authorizationId}`;
    const cookie = await signedIn(next);
    const form: [string, string][] = [
      ['authorization_id', begun.authorizationId],
      ['action', 'approve'],
      ['scope', 'appointments:read'],
      ['days', days],
    ];
    const refused = await visit('consent', { cookie, form, origin: stack().baseUrl });
    expect([refused.status, refused.html]).toEqual([
      400,
      expect.stringContaining('expires_at must be a time'),
    ]);
  });

  it('signs a person in, shows the request and gives access', async () => {
    const begun = await begin(app, 'appointments:read clients:write sessions:read');
    const next = `consent?authorization_id=${begun.authorizationId}`;
    expect((await visit(next)).html).toContain('name="password"');
    const cookie = await signedIn(next);
    const { html, headers } = await visit(next, { cookie });
    for (const shown of ['Calendar Sync', 'calendar.example', practice.therapistId, practice.email])
      expect(html).toContain(shown);
    expect(html).toContain('value="appointments:read" checked');
    expect(html).toContain('value="sessions:read" />');
    expect(html).not.toContain('<script');
    expect(headers.get('x-frame-options')).toBe('DENY');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://calendar.example");
    const form: [string, string][] = [
      ['authorization_id', begun.authorizationId],
      ['action', 'approve'],
      ['scope', 'appointments:read'],
      ['therapist_id', practice.therapistId],
      ['days', '30'],
    ];
    for (const origin of [undefined, 'https://evil.example', 'null'])
      expect((await visit('consent', { cookie, form, ...(origin && { origin }) })).status).toBe(403);
    const answered = await visit('consent', { cookie, form, origin: stack().baseUrl });
    expect(answered.status).toBe(303);
    expect((await exchange(app, begun, answered.location)).scope).toBe('appointments:read');
  });

  it('shows the description of an app as plain text', async () => {
    const made = await practice.rest('oauth_clients', {
      method: 'POST',
      headers: { prefer: 'return=representation' },
      body: { name: '<b>Bank</b>', redirect_uris: [app.redirectUri], kind: 'public' },
    });
    const [{ id }] = made.json as [{ id: string }];
    const begun = await begin({ ...app, config: app.config, clientId: id }, 'appointments:read', {
      client_id: id,
    });
    const next = `consent?authorization_id=${begun.authorizationId}`;
    const { html } = await visit(next, { cookie: await signedIn(next) });
    expect(html).not.toContain('<b>Bank');
    expect(html).toContain('&#60;b&#62;Bank');
  });

  it('never leads to another site after the sign-in', async () => {
    const form: [string, string][] = [
      ['email', practice.email],
      ['password', practice.password],
      ['next', 'https://evil.example'],
    ];
    expect((await visit('sign-in', { form, origin: stack().baseUrl })).location).toBe('consent?');
  });

  it('connects a device by its code', async () => {
    const { config } = app;
    const device = await client.initiateDeviceAuthorization(config, { scope: 'appointments:read' });
    const cookie = await signedIn('device?');
    expect((await visit(`device?user_code=${device.user_code}`, { cookie })).html).toContain(
      device.user_code,
    );
    const form: [string, string][] = [['user_code', device.user_code]];
    const found = await visit('device', { cookie, form, origin: stack().baseUrl });
    const id = new URLSearchParams(found.location.split('?')[1]).get('authorization_id') ?? '';
    const consent: [string, string][] = [
      ['authorization_id', id],
      ['action', 'approve'],
      ['scope', 'appointments:read'],
      ['therapist_id', practice.therapistId],
      ['days', '90'],
    ];
    expect((await visit('consent', { cookie, form: consent, origin: stack().baseUrl })).location).toBe(
      `${stack().baseUrl}/oauth/device?done`,
    );
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.1 });
    expect((await asApp(tokens.access_token, '/rest/v1/appointments')).status).toBe(200);
    expect((await visit('device', { cookie, form, origin: stack().baseUrl })).status).toBe(404);
  });
});
