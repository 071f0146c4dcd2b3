// The bearer before it is verified: its token, and the key that it claims to be signed with.

import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { reject } from '@practice/core';
import jwt from 'jsonwebtoken';
import type { HttpRequest } from '../http/request.js';
import type { IdentityState } from './identity-state.js';
import { cookieAuthorization } from './session-cookies.js';
import {
  anonymous,
  emptyToken,
  noSuitableKey,
  unreadable,
  unsupportedAlgorithm,
  wrongParts,
} from './token-problems.js';

/** The accepted algorithms. `none` and all others are refused before a key is looked up. */
export const ALGORITHMS = { own: 'ES256', shared: 'HS256' } as const;

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
export function authorizationOf(request: HttpRequest, anonKey: string): string | undefined {
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
  ) {
    this.shared = sharedSecret === undefined ? undefined : createSecretKey(Buffer.from(sharedSecret));
  }

  /** @throws {Rejection} when the token is not a JWT, or its key is unknown */
  async keyFor(token: string): Promise<KeyObject> {
    const { alg, kid } = headerOf(token);
    if (alg !== ALGORITHMS.own && alg !== ALGORITHMS.shared) return reject(unsupportedAlgorithm);
    if (alg === ALGORITHMS.own) {
      const key = typeof kid === 'string' ? await this.own.publicKey(kid) : undefined;
      return key ?? reject(noSuitableKey);
    }
    return this.shared ?? reject(noSuitableKey);
  }
}

/** Whether the identity service signed the token, and not another issuer with the shared secret. */
export const isOwnToken = (token: string): boolean => headerOf(token).alg === ALGORITHMS.own;

function headerOf(token: string): { alg?: unknown; kid?: unknown } {
  const parts = token.split('.');
  if (parts.length !== 3) return reject(wrongParts(parts.length));
  let decoded: jwt.Jwt | null;
  try {
    decoded = jwt.decode(token, { complete: true });
  } catch {
    decoded = null;
  }
  return decoded === null ? reject(unreadable) : decoded.header;
}
