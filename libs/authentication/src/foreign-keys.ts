// The public keys that another issuer publishes (JWKS, RFC 7517). They are fetched when a token names an unknown key, and cached.

import { KeyObject } from 'node:crypto';
import type { webcrypto } from 'node:crypto';
import { reject } from '@practice/core';
import { createRemoteJWKSet, errors } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import { issuerUnavailable } from './token-problems.js';

const TIMEOUT_MS = 3000;
/** Keys are fetched so rarely that a kept connection would often be closed by the issuer at the moment of the next fetch. */
const HEADERS = { connection: 'close' };

export class ForeignKeys {
  private readonly keys: JWTVerifyGetKey;

  constructor(url: string) {
    this.keys = createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS, headers: HEADERS });
  }

  /**
   * The key for a token's header; undefined when the issuer does not publish it.
   * @throws {Rejection} PM503 when the issuer cannot be reached
   */
  async keyFor(header: { readonly alg: string; readonly kid: string }): Promise<KeyObject | undefined> {
    try {
      const key = await this.keys({ ...header }, { payload: '', signature: '' });
      return KeyObject.from(key as webcrypto.CryptoKey);
    } catch (error) {
      const isUnknown =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      return isUnknown ? undefined : reject(issuerUnavailable);
    }
  }
}
