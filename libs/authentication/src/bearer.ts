// Finds the token of a request, and the key that the token claims to be signed with. Does not verify the signature.

import { createSecretKey, KeyObject } from 'node:crypto';
import { reject } from '@practice/core';
import { createRemoteJWKSet, errors } from 'jose';
import jwt from 'jsonwebtoken';
import { cookieAuthorization } from './api-key.js';
import type { IdentityState } from './identity-state.js';
import type { BearerRequest } from './request.js';
import {
  anonymous,
  emptyToken,
  issuerUnavailable,
  noSuitableKey,
  unknownExtension,
  unreadable,
  unsupportedAlgorithm,
  wrongParts,
} from './token-problems.js';

/** The accepted algorithms. `none` and all others are refused before a key is looked up. */
export const ALGORITHMS = { own: 'ES256', shared: 'HS256', published: 'RS256' } as const;

/**
 * The types of access tokens: of sessions, and of OAuth clients (RFC 9068). The same keys sign other documents, whose claims other
 * services choose: certificates of erasures and seals of logs.
 */
const TYPES: ReadonlySet<unknown> = new Set(['JWT', 'at+jwt']);

const mayBeOwn = (alg: unknown, typ: unknown): boolean => alg === ALGORITHMS.own && TYPES.has(typ);

/**
 * The token of an `Authorization` header.
 * @throws {Rejection} when it is missing, or is only the API key, which identifies the project and not a user
 */
export function bearerOf(header: string | undefined, anonKey: string): string {
  if (header === undefined) return reject(anonymous);
  const match = /^bearer(?: +(.*))?$/i.exec(header.trim());
  if (match === null) return reject(anonymous);
  const token = (match[1] ?? '').trim();
  if (token === '') return reject(emptyToken);
  if (token === anonKey) return reject(anonymous);
  return token;
}

/**
 * The `Authorization` header, or a browser's cookie if the header is missing or has only the API key.
 */
export function authorizationOf(
  request: Pick<BearerRequest, 'headers'>,
  anonKey: string,
): string | undefined {
  const { authorization, cookie } = request.headers;
  if (cookie === undefined) return authorization;
  const isNobody =
    authorization === undefined || authorization.replace(/^bearer /i, 'Bearer ') === `Bearer ${anonKey}`;
  return isNobody ? (cookieAuthorization(request) ?? authorization) : authorization;
}

/** Finds the key that a token's header names. The check of the signature comes later. */
export class VerificationKeys {
  private readonly shared: KeyObject | undefined;

  constructor(
    private readonly own: IdentityState,
    sharedSecret: string | undefined,
    private readonly foreign: ForeignKeys | undefined,
  ) {
    this.shared = sharedSecret === undefined ? undefined : createSecretKey(Buffer.from(sharedSecret));
  }

  /** The key that a token's header names. @throws {Rejection} when the token is not a JWT, or its key is unknown */
  async keyFor(token: string): Promise<KeyObject> {
    const { alg, kid, typ } = headerOf(token);
    if (alg === ALGORITHMS.shared) return this.shared ?? reject(noSuitableKey);
    if (alg !== ALGORITHMS.own && alg !== ALGORITHMS.published) return reject(unsupportedAlgorithm);
    if (typeof kid !== 'string') return reject(noSuitableKey);
    const own = mayBeOwn(alg, typ) ? await this.own.publicKey(kid) : undefined;
    return own ?? (await this.foreign?.keyFor({ alg, kid })) ?? reject(noSuitableKey);
  }

  /** Whether a verified token was signed by the identity service and not by another issuer. */
  isOwn(token: string): boolean {
    const { alg, kid, typ } = headerOf(token);
    return mayBeOwn(alg, typ) && typeof kid === 'string' && this.own.hasKey(kid);
  }
}

function headerOf(token: string): { alg?: unknown; kid?: unknown; typ?: unknown } {
  const parts = token.split('.');
  if (parts.length !== 3) return reject(wrongParts(parts.length));
  let decoded: jwt.Jwt | null;
  try {
    decoded = jwt.decode(token, { complete: true });
  } catch {
    decoded = null;
  }
  if (decoded === null) return reject(unreadable);
  return decoded.header.crit === undefined ? decoded.header : reject(unknownExtension);
}

/**
 * The public keys of another issuer (JWKS, RFC 7517). They are cached, and fetched again when a token names an unknown key, but not
 * within 30 s, since a token may name any key id.
 */
export class ForeignKeys {
  private readonly published;

  constructor(url: string) {
    this.published = createRemoteJWKSet(new URL(url), {
      timeoutDuration: 3000,
      cooldownDuration: 30_000,
      /** How long a key that the issuer no longer publishes is still accepted. */
      cacheMaxAge: 10 * 60_000,
      // Without keep-alive: fetches are so rare that the issuer would often be closing a kept connection at the next fetch.
      headers: { accept: 'application/json', connection: 'close' },
    });
  }

  /**
   * The key for a token's header; undefined when the issuer publishes no key or several keys for it.
   * @throws {Rejection} PM503 when the issuer cannot be reached
   */
  async keyFor(named: { readonly alg: string; readonly kid: string }): Promise<KeyObject | undefined> {
    try {
      return KeyObject.from(await this.published(named));
    } catch (error) {
      const isUnknown =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      return isUnknown ? undefined : reject(issuerUnavailable);
    }
  }
}
