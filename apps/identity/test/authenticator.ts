// An authenticator in software, for specs: it makes passkeys and signs challenges like a device, or like an attacker.

import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { SupabaseClient } from '@supabase/supabase-js';

const APP = { origin: 'http://localhost:5173', rpId: 'localhost' };
const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

/** How an answer differs from a correct answer. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  /** The authenticator has not verified its user. */
  readonly isUnverified?: boolean;
  /** The type of another ceremony than that of the browser. */
  readonly type?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly key?: KeyObject;
  readonly credentialId?: string;
  /** An attestation that the server did not ask for. */
  readonly attestation?: { readonly fmt: string; readonly statement: Map<string, unknown> };
}

export interface SoftwarePasskey {
  readonly credentialId: string;
  readonly key: KeyObject;
  /** The id of the user that the passkey was made for, in base64url. */
  readonly userHandle: string;
  counter: number;
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

const clientDataOf = (type: string, challenge: string, deviation: Deviation): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: deviation.type ?? type,
      challenge: deviation.challenge ?? challenge,
      origin: deviation.origin ?? APP.origin,
      crossOrigin: false,
    }),
  );

function authenticatorData(flags: number, counter: number, { rpId, isUnverified }: Deviation): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const checked = isUnverified === true ? flags : flags | VERIFIED;
  return Buffer.concat([sha256(rpId ?? APP.rpId), Buffer.from([checked]), count]);
}

/** Makes a passkey for the options of a registration. Returns the passkey, and the credential that a browser would send. */
export function makePasskey(
  options: { readonly challenge: string; readonly user: { readonly id: string } },
  deviation: Deviation = {},
) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = deviation.credentialId ? Buffer.from(deviation.credentialId, 'base64url') : randomBytes(32);
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      ...([[1, 2] as const, [3, -7] as const, [-1, 1] as const] as const),
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  );
  const counter = deviation.counter ?? 0;
  const authData = Buffer.concat([
    authenticatorData(PRESENT | ATTESTED, counter, deviation),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    cose,
  ]);
  const { fmt = 'none', statement = new Map<string, unknown>() } = deviation.attestation ?? {};
  const attestation = new Map<string, unknown>([
    ['fmt', fmt],
    ['attStmt', statement],
    ['authData', new Uint8Array(authData)],
  ]);
  const credentialId = id.toString('base64url');
  const passkey: SoftwarePasskey = { credentialId, key: privateKey, userHandle: options.user.id, counter };
  const credential = credentialOf(credentialId, {
    clientDataJSON: clientDataOf('webauthn.create', options.challenge, deviation).toString('base64url'),
    attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
    transports: ['internal', 'hybrid', 'by pigeon'],
  });
  return { passkey, credential };
}

/** Signs the challenge of a sign-in. The counter increases with each answer. */
export function signChallenge(passkey: SoftwarePasskey, challenge: string, deviation: Deviation = {}) {
  passkey.counter = deviation.counter ?? passkey.counter + 1;
  const clientData = clientDataOf('webauthn.get', challenge, deviation);
  const authData = authenticatorData(PRESENT, passkey.counter, deviation);
  const signer = createSign('sha256').update(Buffer.concat([authData, sha256(clientData)]));
  return credentialOf(deviation.credentialId ?? passkey.credentialId, {
    clientDataJSON: clientData.toString('base64url'),
    authenticatorData: authData.toString('base64url'),
    signature: signer.sign(deviation.key ?? passkey.key).toString('base64url'),
    userHandle: deviation.userHandle ?? passkey.userHandle,
  });
}

const credentialOf = (id: string, response: object) =>
  ({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }) as never;

/** Registers a passkey for a signed-in user. */
export async function register({ auth }: SupabaseClient, deviation: Deviation = {}) {
  const started = await auth.passkey.startRegistration();
  if (started.error !== null) return { error: started.error, passkey: undefined, data: null };
  const { challenge_id: challengeId, options } = started.data;
  const { passkey, credential } = makePasskey(options, deviation);
  const { data, error } = await auth.passkey.verifyRegistration({ challengeId, credential });
  return { error, passkey, data };
}

/** Signs in with a passkey, in the session of this client. */
export async function signInWith(
  { auth }: SupabaseClient,
  passkey: SoftwarePasskey,
  deviation: Deviation = {},
) {
  const started = await auth.passkey.startAuthentication();
  if (started.error !== null) return { error: started.error, data: null };
  const { challenge_id: challengeId, options } = started.data;
  const credential = signChallenge(passkey, options.challenge, deviation);
  return auth.passkey.verifyAuthentication({ challengeId, credential });
}
