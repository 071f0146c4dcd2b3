// The OpenAPI texts and schemas of the calls of the OAuth server, by method and path of their routes.

import { parameter } from '../http/endpoint.js';
import { fields, PRACTICE_CLOSED, type Words } from './account-operation.js';

const { text, uuid, instant, json, object } = fields;

const inQuery = (name: string, required = true): object => parameter(name, 'query', { required });
const authorizationId = parameter('id', 'path', {});
const NEEDED = ['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method'];
const NO_AUTHORIZATION = 'The authorization does not exist, has expired, or was answered.';
const metadata: Words = { summary: 'The metadata of the OAuth server (RFC 8414)', answers: [200, json] };
const redirect = object({ redirect_url: text });
const client = object({ id: text, name: text, uri: text, logo_uri: text });
const scopes = { type: 'array', items: text };
const userInfo: Words = {
  summary: 'Who the user of an app is',
  description: 'The address with the scope `email`, the name with `profile`, if the user has one.',
  answers: [200, object({ sub: uuid, email: text, name: text, therapist_id: uuid }, ['sub', 'therapist_id'])],
};
/** The app sends its id and, if it has one, its secret: here, or by HTTP Basic. */
const credentials = { client_id: text, client_secret: text };
const refreshToken = object({ token: text, ...credentials }, ['token']);

export const oauthWords: Readonly<Record<string, Words>> = {
  'get oauth/authorize': {
    summary: 'Ask a person for access: leads to the consent page',
    description: 'The link of an app. PKCE with S256 is required.',
    parameters: [
      ...NEEDED.map((name) => inQuery(name)),
      ...['scope', 'state', 'resource', 'prompt'].map((name) => inQuery(name, false)),
    ],
    answers: [303],
  },
  'post oauth/token': {
    summary: 'Exchange a code, a device code or a refresh token (RFC 6749, RFC 8628)',
    description:
      'A refresh token is used once, then replaced; reuse after more than 10 seconds ends the grant.',
    body: object(
      {
        grant_type: {
          enum: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        },
        ...{ code: text, redirect_uri: text, code_verifier: text, refresh_token: text, device_code: text },
        ...{ resource: text, ...credentials },
      },
      ['grant_type'],
    ),
    answers: [200, json],
  },
  'post oauth/device_authorization': {
    summary: 'Begin the connection of a device without a browser (RFC 8628)',
    body: object({ scope: text, resource: text, ...credentials }, []),
    answers: [200, json],
  },
  'post oauth/introspect': {
    summary: 'Whether a refresh token of the app counts (RFC 7662)',
    body: refreshToken,
    answers: [200, json],
  },
  'post oauth/revoke': {
    summary: 'Revoke a refresh token, and with it the grant (RFC 7009)',
    body: refreshToken,
    answers: [200],
  },
  'get .well-known/oauth-authorization-server': metadata,
  'get .well-known/openid-configuration': {
    ...metadata,
    summary: 'The same metadata, at the address of OpenID Connect',
  },
  'get oauth/userinfo': userInfo,
  'post oauth/userinfo': { ...userInfo, summary: 'Who the user of an app is, by POST' },
  'get oauth/authorizations/:id': {
    summary: 'The request of an app for access',
    parameters: [authorizationId],
    missing: NO_AUTHORIZATION,
    answers: [200, object({ authorization_id: text, redirect_uri: text, client, scope: text }, [])],
  },
  'post oauth/authorizations/:id/consent': {
    summary: 'Give the app access, or deny it',
    description:
      'Without `scopes`, the app gets what it asks for and the role permits, except session notes and `*:…`. The access ends after 90 days, or at `expires_at` within 365 days.',
    parameters: [authorizationId],
    body: object(
      {
        action: { enum: ['approve', 'deny'] },
        scopes,
        therapist_id: uuid,
        expires_at: instant,
        ask: { enum: ['never', 'above', 'always'] },
      },
      ['action'],
    ),
    conflict: PRACTICE_CLOSED,
    missing: NO_AUTHORIZATION,
    answers: [200, redirect],
  },
  'post oauth/device': {
    summary: 'Find the authorization of a device by the code that it shows',
    body: object({ user_code: text }),
    missing: 'No device waits with this code.',
    answers: [200, object({ authorization_id: text })],
  },
  'get user/oauth/grants': {
    summary: 'The apps that have access for the user',
    answers: [200, { type: 'array', items: object({ client, scopes, granted_at: instant }) }],
  },
  'delete user/oauth/grants': {
    summary: 'Revoke the access of an app',
    parameters: [inQuery('client_id')],
    missing: 'The app has no access for the user.',
    answers: [204],
  },
};
