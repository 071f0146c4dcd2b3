// The identity of a caller on the wire: a statement that a gateway signs and services verify. Its text is
// `<payload>.<signature>`, both in base64url. The payload is JSON and names the only service that may accept it.

import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { Identity } from '@practice/core';

/** Returns the statement of an identity for a service. */
export type StateIdentity = (identity: Identity, service: string) => string;

/** Reads a statement; undefined unless it is signed by a gateway, for this service, and has not expired. */
export type ReadStatement = (text: string) => Identity | undefined;

type Payload = Omit<Identity, 'address'> & {
  /** The service that may accept the statement. */
  readonly aud: string;
  /** When the statement expires, in milliseconds since the epoch. */
  readonly exp: number;
};

interface Verified extends Pick<Payload, 'aud' | 'exp'> {
  readonly identity: Identity;
}

interface Signed {
  readonly text: string;
  readonly renewAt: number;
}

/** Longer than any request waits, so that a statement does not expire in transit. */
const VALID_MS = 120_000;
const RENEW_AFTER_MS = 60_000;
/** The tolerated difference between the clocks of a gateway and a service. */
const CLOCK_SKEW_MS = 30_000;
const CAPACITY = 10_000;

/**
 * A function that signs each identity once a minute for each service. The identity object is the key of its cache, so all requests
 * with one token must use the same object.
 * @param privateKey an Ed25519 key, PKCS #8 in base64url
 * @throws {Error} when `privateKey` is not such a key
 */
export function createSigner(privateKey: string, now: () => number = Date.now): StateIdentity {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' });
  requireEd25519(key);
  const signed = new WeakMap<Identity, Map<string, Signed>>();
  return (identity, service) => {
    const byService = signed.get(identity) ?? new Map<string, Signed>();
    const known = byService.get(service);
    const time = now();
    if (known !== undefined && known.renewAt > time) return known.text;
    const { address: _, ...stated } = identity;
    const payload = encode({ ...stated, aud: service, exp: time + VALID_MS });
    const text = `${payload}.${sign(null, Buffer.from(payload), key).toString('base64url')}`;
    byService.set(service, { text, renewAt: time + RENEW_AFTER_MS });
    signed.set(identity, byService);
    return text;
  };
}

/**
 * A function that verifies the statements that a service receives. It verifies the signature of each text only once.
 * @param publicKeys Ed25519 keys, SPKI in base64url: one key, or two while gateways change to a new key
 * @throws {Error} when one of `publicKeys` is not such a key
 */
export function createVerifier(
  publicKeys: readonly string[],
  service: string,
  now: () => number = Date.now,
): ReadStatement {
  const keys = publicKeys.map((text) =>
    requireEd25519(createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' })),
  );
  const verified = new Map<string, Verified>();
  const isValid = ({ aud, exp }: Pick<Payload, 'aud' | 'exp'>): boolean =>
    aud === service && exp + CLOCK_SKEW_MS > now();
  return (text) => {
    const known = verified.get(text) ?? payloadOf(text, keys);
    if (known === undefined || !isValid(known)) return undefined;
    if (!verified.has(text)) remember(verified, text, known);
    return known.identity;
  };
}

/** Caches a verified statement. Statements expire roughly in the order in which they arrive, so the oldest one is dropped first. */
function remember(verified: Map<string, Verified>, text: string, known: Verified): void {
  const [oldest] = verified.size < CAPACITY ? [] : verified.keys();
  if (oldest !== undefined) verified.delete(oldest);
  verified.set(text, known);
}

function payloadOf(text: string, keys: readonly KeyObject[]): Verified | undefined {
  const [payload = '', signature = '', ...rest] = text.split('.');
  if (rest.length > 0 || !keys.some((key) => isSigned(payload, signature, key))) return undefined;
  const { aud, exp, ...identity } = decode(payload);
  return { aud, exp, identity };
}

const isSigned = (payload: string, signature: string, key: KeyObject): boolean =>
  verify(null, Buffer.from(payload), key, Buffer.from(signature, 'base64url'));

const encode = (payload: Payload): string => Buffer.from(JSON.stringify(payload)).toString('base64url');
const decode = (payload: string): Payload =>
  JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload;

function requireEd25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key of statements must be an Ed25519 key');
  return key;
}
