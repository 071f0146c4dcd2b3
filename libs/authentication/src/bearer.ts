// Finds the token of a request, and the key that the token claims to be signed with. Does not verify the signature.

import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { reject } from '@practice/core';
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
    const { alg, kid } = headerOf(token);
    return alg === ALGORITHMS.own && typeof kid === 'string' && this.own.hasKey(kid);
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

// The public keys of another issuer (JWKS, RFC 7517). They are cached, and fetched again when a token names an unknown key.

interface PublishedKey extends JsonWebKey {
  readonly kid?: string;
  readonly alg?: string;
  readonly use?: string;
  readonly key_ops?: readonly string[];
}

interface Named {
  readonly alg: string;
  readonly kid: string;
}

const TIMEOUT_MS = 3000;
/** How long a key that the issuer no longer publishes is still accepted. */
const MAX_AGE_MS = 10 * 60_000;
/** The minimum time between two fetches for unknown key ids, since a token may name any key id. */
const COOL_DOWN_MS = 30_000;
/** Without keep-alive: fetches are so rare that the issuer would often be closing a kept connection at the next fetch. */
const HEADERS = { accept: 'application/json', connection: 'close' };
const OK = 200;

export class ForeignKeys {
  private keys: readonly PublishedKey[] = [];
  private fetchedAt = -Infinity;
  private fetching: Promise<void> | undefined;

  constructor(private readonly url: string) {}

  /**
   * The key for a token's header; undefined when the issuer publishes no key or several keys for it.
   * @throws {Rejection} PM503 when the issuer cannot be reached
   */
  async keyFor(named: Named): Promise<KeyObject | undefined> {
    try {
      await this.fetchAfter(MAX_AGE_MS);
      if (!this.keys.some(isFor(named))) await this.fetchAfter(COOL_DOWN_MS);
      const [key, ...others] = this.keys.filter(isFor(named));
      if (key === undefined || others.length > 0) return undefined;
      return createPublicKey({ key, format: 'jwk' });
    } catch {
      return reject(issuerUnavailable);
    }
  }

  private async fetchAfter(ms: number): Promise<void> {
    if (performance.now() - this.fetchedAt < ms) return;
    this.fetching ??= this.fetch().finally(() => (this.fetching = undefined));
    await this.fetching;
  }

  private async fetch(): Promise<void> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(this.url, { headers: HEADERS, redirect: 'manual', signal });
    if (response.status !== OK) throw new Error(`the issuer replied ${response.status}`);
    const { keys } = (await response.json()) as { keys: PublishedKey[] };
    this.keys = keys.filter((key) => typeof key === 'object');
    this.fetchedAt = performance.now();
  }
}

/** A function that reports whether a key has this id and may verify signatures of this algorithm. */
const isFor =
  (named: Named) =>
  ({ kid, alg = named.alg, use = 'sig', key_ops: uses = ['verify'], ...key }: PublishedKey): boolean => {
    const isOfType = named.alg === 'RS256' ? key.kty === 'RSA' : key.crv === 'P-256';
    return kid === named.kid && isOfType && alg === named.alg && use === 'sig' && uses.includes('verify');
  };
