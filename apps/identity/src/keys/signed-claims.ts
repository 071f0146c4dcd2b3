import { createPublicKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { SigningKey } from './signing-keys.js';

/**
 * Signs claims as a compact JWS that lasts: with the key in its header, it can be verified when the key is no longer published.
 * @param typ the type of the document, such as `log-seal+jwt`
 */
export function signedClaims({ kid, privateKey }: SigningKey, typ: string, claims: object): string {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const header = { alg: 'ES256', kid, typ, jwk } as const;
  return jwt.sign(claims, privateKey, { algorithm: 'ES256', header, noTimestamp: true });
}
