// Third-party apps in specs. They speak OAuth with `openid-client`, like real apps.

import { expect } from '@jest/globals';
import { auth, type Answer, type Practice, stack } from '@practice/testing';
import * as client from 'openid-client';

export const CALLBACK = 'https://calendar.example/callback';

export interface App {
  readonly clientId: string;
  readonly config: client.Configuration;
  readonly redirectUri: string;
  /** The origin of another gateway than the first. */
  readonly origin?: string;
}

/** Registers an app in the practice. */
export async function registeredApp(
  practice: Practice,
  { kind = 'confidential', name = 'Calendar Sync', redirectUri = CALLBACK, origin = stack().baseUrl } = {},
): Promise<App> {
  const made = await practice.rest('oauth_clients', {
    method: 'POST',
    headers: { prefer: 'return=representation' },
    body: { name, redirect_uris: [redirectUri], kind },
  });
  expect(made.status).toBe(201);
  const [{ id = '', secret = null } = {}] = made.json as { id?: string; secret?: string | null }[];
  return { clientId: id, config: await configOf(id, secret ?? undefined, origin), redirectUri };
}

/** The configuration that an app makes from the metadata of the server. @param origin of the gateway that the app calls */
export async function configOf(
  clientId: string,
  secret?: string,
  origin = stack().baseUrl,
): Promise<client.Configuration> {
  const { baseUrl } = stack();
  return client.discovery(
    new URL(`${baseUrl}/auth/v1`),
    clientId,
    secret,
    secret === undefined ? client.None() : client.ClientSecretBasic(secret),
    {
      execute: [client.allowInsecureRequests],
      [client.customFetch]: (url, options) => fetch(url.replace(baseUrl, origin), options as RequestInit),
    },
  );
}

export type Begun = Awaited<ReturnType<typeof begin>>;

/** Begins an authorization, like a browser that follows the link of the app. */
export async function begin(app: App, scope: string, more: Record<string, string> = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(app.config, {
    ...{ redirect_uri: app.redirectUri, scope, state },
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  const { baseUrl } = stack();
  const { origin = baseUrl } = app;
  const response = await fetch(url.href.replace(baseUrl, origin), { redirect: 'manual' });
  expect([response.status, await response.text()]).toEqual([303, '']);
  const location = new URL(response.headers.get('location') ?? 'none:');
  return { authorizationId: location.searchParams.get('authorization_id') ?? '', verifier, state, origin };
}

/** The answer of a person to an authorization. */
export const answer = (
  { token }: Pick<Practice, 'token'>,
  { authorizationId, origin }: Begun,
  body: object = { action: 'approve' },
): Promise<Answer> =>
  auth('POST', `oauth/authorizations/${authorizationId}/consent`, { token, body, origin });

/** Exchanges the code of an approved authorization. @param redirectUrl of the answer */
export const exchange = (
  app: App,
  { verifier, state }: Begun,
  redirectUrl: string,
): ReturnType<typeof client.authorizationCodeGrant> =>
  client.authorizationCodeGrant(app.config, new URL(redirectUrl), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });

interface Asked {
  readonly scope: string;
  readonly consent?: object;
  readonly params?: Record<string, string>;
}

/** Goes all the way from the authorization to the tokens. @param asked the scope, or more */
export async function connected(app: App, person: Pick<Practice, 'token'>, asked: string | Asked) {
  const { scope, consent, params }: Asked = typeof asked === 'string' ? { scope: asked } : asked;
  const begun = await begin(app, scope, params);
  const answered = await answer(person, begun, { action: 'approve', ...consent });
  expect(answered).toMatchObject({ status: 200 });
  return exchange(app, begun, (answered.json as { redirect_url: string }).redirect_url);
}

/** A call with the token of an app, which has no API key. */
export async function asApp(
  token: string,
  path: string,
  {
    method = 'GET',
    body,
    origin = stack().baseUrl,
  }: { method?: string; body?: object; origin?: string } = {},
): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json', prefer: 'return=representation' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : (JSON.parse(text) as unknown) };
}
