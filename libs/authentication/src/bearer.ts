// The bearer before it is verified: its token, and the key that it claims to be signed with.

import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { reject } from '@practice/core';
import jwt from 'jsonwebtoken';
import type { ForeignKeys } from './foreign-keys.js';
import type { IdentityState } from './identity-state.js';
import type { BearerRequest } from './request.js';
import { cookieAuthorization } from './cookies.js';
import {
  anonymous,
  emptyToken,
  noSuitableKey,
  unknownExtension,
  unreadable,
  unsupportedAlgorithm,
  wrongParts,
} from './token-problems.js';

/** The accepted algorithms. `none` and all others are refused before a key is looked up. */
export const ALGORITHMS = { own: 'ES256', shared: 'HS256', published: 'RS256' } as const;

/**
 * The token of an `Authorization` header.
 * @throws {Rejection} when it is missing: the API key names the project, not a user
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

/** Finds the key that a token's header names. The signature proves it afterwards. */
export class VerificationKeys {
  private readonly shared: KeyObject | undefined;

  constructor(
    private readonly own: IdentityState,
    sharedSecret: string | undefined,
    private readonly foreign: ForeignKeys | undefined,
  ) {
    this.shared = sharedSecret === undefined ? undefined : createSecretKey(Buffer.from(sharedSecret));
  }

  /** @throws {Rejection} when the token is not a JWT, or its key is unknown */
  async keyFor(token: string): Promise<KeyObject> {
    const { alg, kid } = headerOf(token);
    if (alg === ALGORITHMS.shared) return this.shared ?? reject(noSuitableKey);
    if (alg !== ALGORITHMS.own && alg !== ALGORITHMS.published) return reject(unsupportedAlgorithm);
    if (typeof kid !== 'string') return reject(noSuitableKey);
    const own = alg === ALGORITHMS.own ? await this.own.publicKey(kid) : undefined;
    return own ?? (await this.foreign?.keyFor({ alg, kid })) ?? reject(noSuitableKey);
  }

  /** Whether the identity service signed a verified token, and not another issuer. */
  isOwn(token: string): boolean {
    const { alg, kid } = headerOf(token);
    return alg === ALGORITHMS.own && typeof kid === 'string' && this.own.hasKey(kid);
  }
}

function headerOf(token: string): { alg?: unknown; kid?: unknown } {
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
