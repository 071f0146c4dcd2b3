// The public keys that another issuer publishes (JWKS, RFC 7517). They are fetched when a token names an unknown key, and cached.

import { createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { reject } from '@practice/core';
import { issuerUnavailable } from './token-problems.js';

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
/** A key that the issuer no longer publishes is accepted this long. */
const MAX_AGE_MS = 10 * 60_000;
/** A token may name any key id; the keys are fetched again for an unknown one only this often. */
const COOL_DOWN_MS = 30_000;
/** Keys are fetched so rarely that a kept connection would often be closed by the issuer at the moment of the next fetch. */
const HEADERS = { accept: 'application/json', connection: 'close' };
const OK = 200;

export class ForeignKeys {
  private keys: readonly PublishedKey[] = [];
  private fetchedAt = -Infinity;
  private fetching: Promise<void> | undefined;

  constructor(private readonly url: string) {}

  /**
   * The key for a token's header; undefined when the issuer does not publish it, or several for it.
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

/** Whether a key has this id, and may verify signatures of this algorithm. */
const isFor =
  (named: Named) =>
  ({ kid, alg = named.alg, use = 'sig', key_ops: uses = ['verify'], ...key }: PublishedKey): boolean => {
    const isOfType = named.alg === 'RS256' ? key.kty === 'RSA' : key.crv === 'P-256';
    return kid === named.kid && isOfType && alg === named.alg && use === 'sig' && uses.includes('verify');
  };
