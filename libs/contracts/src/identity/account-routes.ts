// The calls of the auth API. The gateway checks access, limits and methods by this table, and forwards each call by its
// name. The identity service has one handler for each name.

import type { Identity } from '@practice/core';

/** Required credentials: none, the API key, the key and a user's token, or a token of a signed-in session. */
export type AccessLevel = 'open' | 'key' | 'user' | 'session';

export interface AccountRoute {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/auth/v1/`; `:id` is a parameter. */
  readonly path: string;
  readonly access: AccessLevel;
  /** The rate is limited per client address, by the limit for sign-in attempts, or by the limit for writes in the OAuth protocol. */
  readonly isLimitedByAddress?: true;
  /** The response has a new session, which the gateway can set as cookies. */
  readonly opensSession?: true;
  /** Also allowed for a session that still has to pass a second factor. */
  readonly isBeforeSecondFactor?: true;
  /** A GET that has an effect. With cookies, it needs the same protection as a write. */
  readonly hasEffect?: true;
  /** The call is allowed with the token of an OAuth client, which is refused for all other calls of the auth API. */
  readonly isForClients?: true;
  /** A call of the OAuth protocol. Identity gets the request unchanged, and replies with the errors of OAuth. */
  readonly isProtocol?: true;
}

/** Calls for any session, even if it still has to pass a second factor. */
const anySession = { access: 'session', isBeforeSecondFactor: true } as const;
const byAddress = { isLimitedByAddress: true } as const;
const keyByAddress = { access: 'key', ...byAddress } as const;
/** Calls of apps, which have no key. */
const protocol = { name: 'oauthProtocol', access: 'open', isProtocol: true } as const;
const metadata = { name: 'oauthMetadata', method: 'GET', access: 'open' } as const;

export const accountRoutes = [
  { name: 'signUp', method: 'POST', path: 'signup', opensSession: true, ...keyByAddress },
  { name: 'token', method: 'POST', path: 'token', opensSession: true, ...keyByAddress },
  { name: 'signOut', method: 'POST', path: 'logout', ...anySession },
  { name: 'user', method: 'GET', path: 'user', access: 'user', isBeforeSecondFactor: true },
  { name: 'changeUser', method: 'PUT', path: 'user', access: 'session' },
  { name: 'reauthenticate', method: 'GET', path: 'reauthenticate', access: 'session', hasEffect: true },
  { name: 'recover', method: 'POST', path: 'recover', ...keyByAddress },
  { name: 'verify', method: 'POST', path: 'verify', access: 'open', opensSession: true, ...byAddress },
  { name: 'followLink', method: 'GET', path: 'verify', access: 'open', ...byAddress },
  { name: 'listTokens', method: 'GET', path: 'tokens', access: 'session' },
  { name: 'createToken', method: 'POST', path: 'tokens', access: 'session' },
  { name: 'revokeToken', method: 'DELETE', path: 'tokens/:id', access: 'session' },
  { name: 'otp', method: 'POST', path: 'otp', ...keyByAddress },
  { name: 'otp', method: 'POST', path: 'magiclink', ...keyByAddress },
  { name: 'resend', method: 'POST', path: 'resend', ...keyByAddress },
  // Browsers open this address themselves, without a key.
  { name: 'authorize', method: 'GET', path: 'authorize', access: 'open' },
  { name: 'sso', method: 'POST', path: 'sso', access: 'key' },
  { name: 'linkIdentity', method: 'GET', path: 'user/identities/authorize', access: 'session' },
  { name: 'linkIdentity', method: 'DELETE', path: 'user/identities/:id', access: 'session' },
  { name: 'enrollFactor', method: 'POST', path: 'factors', ...anySession },
  { name: 'unenrollFactor', method: 'DELETE', path: 'factors/:id', ...anySession },
  { name: 'challengeFactor', method: 'POST', path: 'factors/:id/challenge', ...anySession },
  { name: 'verifyFactor', method: 'POST', path: 'factors/:id/verify', opensSession: true, ...anySession },
  { name: 'listPasskeys', method: 'GET', path: 'passkeys', access: 'session' },
  { name: 'renamePasskey', method: 'PATCH', path: 'passkeys/:id', access: 'session' },
  { name: 'removePasskey', method: 'DELETE', path: 'passkeys/:id', access: 'session' },
  {
    name: 'passkeyRegistrationOptions',
    method: 'POST',
    path: 'passkeys/registration/options',
    ...anySession,
  },
  { name: 'registerPasskey', method: 'POST', path: 'passkeys/registration/verify', ...anySession },
  { name: 'passkeySignInOptions', method: 'POST', path: 'passkeys/authentication/options', ...keyByAddress },
  {
    name: 'signInWithPasskey',
    method: 'POST',
    path: 'passkeys/authentication/verify',
    opensSession: true,
    ...keyByAddress,
  },
  { ...protocol, method: 'GET', path: 'oauth/authorize', ...byAddress },
  { ...protocol, method: 'POST', path: 'oauth/token', ...byAddress },
  { ...protocol, method: 'POST', path: 'oauth/device_authorization', ...byAddress },
  { ...protocol, method: 'POST', path: 'oauth/introspect', ...byAddress },
  { ...protocol, method: 'POST', path: 'oauth/revoke', ...byAddress },
  { ...protocol, method: 'POST', path: 'oauth/clients/register', ...byAddress },
  { ...metadata, path: '.well-known/oauth-authorization-server' },
  { ...metadata, path: '.well-known/openid-configuration' },
  { name: 'oauthUserInfo', method: 'GET', path: 'oauth/userinfo', access: 'user', isForClients: true },
  { name: 'oauthUserInfo', method: 'POST', path: 'oauth/userinfo', access: 'user', isForClients: true },
  // If a person has consented to the same request before, this GET consents for the person.
  {
    name: 'authorization',
    method: 'GET',
    path: 'oauth/authorizations/:id',
    access: 'session',
    hasEffect: true,
  },
  {
    name: 'answerAuthorization',
    method: 'POST',
    path: 'oauth/authorizations/:id/consent',
    access: 'session',
  },
  { name: 'openDevice', method: 'POST', path: 'oauth/device', access: 'session', ...byAddress },
  { name: 'listGrants', method: 'GET', path: 'user/oauth/grants', access: 'session' },
  { name: 'revokeGrants', method: 'DELETE', path: 'user/oauth/grants', access: 'session' },
  // For clients that verify tokens by themselves.
  { name: 'publicKeys', method: 'GET', path: '.well-known/jwks.json', access: 'open' },
  { name: 'settings', method: 'GET', path: 'settings', access: 'key' },
  { name: 'health', method: 'GET', path: 'health', access: 'key' },
] as const satisfies readonly AccountRoute[];

export type AccountRouteName = (typeof accountRoutes)[number]['name'];

/** The parts of a request of the OAuth protocol in addition to its body and query. */
export interface OauthRequest {
  readonly path: string;
  readonly contentType?: string | undefined;
  readonly authorization?: string | undefined;
}

/** Envelope fields of the operation `account`: an HTTP call of the auth API as the gateway forwards it. */
export interface AccountEnvelope {
  /** Null for calls that need no user. */
  readonly identity: Identity | null;
  readonly route: AccountRouteName;
  readonly method: string;
  /** The `:id` of the path. */
  readonly id?: string | undefined;
  /** The query string, without `?`. */
  readonly query: string;
  /** The caller's network address. */
  readonly address: string;
  /** `X-Supabase-Api-Version`. */
  readonly apiVersion?: string | undefined;
  /** For the OAuth protocol: the path below `/auth/v1`, and the headers that the protocol reads. */
  readonly protocol?: OauthRequest | undefined;
  /** The gateway will set the tokens as cookies, whose size is limited to 4 KiB. */
  readonly isForCookies?: boolean | undefined;
}
