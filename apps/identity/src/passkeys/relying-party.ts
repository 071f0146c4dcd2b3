// The checks of WebAuthn (https://www.w3.org/TR/webauthn-3/). The relying party is the app at `SITE_URL`.

import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from '@simplewebauthn/server/helpers';
import { problems, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import type { Passkey } from '../store/passkey.entities.js';
import type { Answer } from './answer.js';
import { CHALLENGE_SECONDS } from './challenges.js';

type Sites = Pick<IdentityConfig, 'siteUrl' | 'baseUrl'>;

/** EdDSA, ES256 and RS256: authenticators have at least one of them. */
const ALGORITHMS = [-8, -7, -257];
/** Larger than a key of RSA with 4096 bits. */
const MAX_KEY_BYTES = 1024;
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** The host of the app, which passkeys are bound to. An address of a machine cannot have passkeys: browsers ask for `localhost`. */
export function relyingPartyId({ siteUrl }: Pick<Sites, 'siteUrl'>): string {
  const { hostname } = new URL(siteUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
}

/** Whether a page of this origin may use the passkeys: the app, and the API where a browser permits it. On `localhost`, any port. */
export function isOwnOrigin(sites: Sites, origin: string): boolean {
  if (relyingPartyId(sites) === 'localhost' && /^https?:\/\/localhost(?::\d{1,5})?$/.test(origin))
    return true;
  return [sites.siteUrl, sites.baseUrl].some((url) => new URL(url).origin === origin);
}

/** A passkey as an authenticator has made it. */
export type MadePasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

@Injectable()
export class RelyingParty {
  readonly id: string;

  constructor(@Inject(IDENTITY_CONFIG) private readonly sites: Sites) {
    this.id = relyingPartyId(sites);
  }

  /** The options with which a browser makes a passkey. The authenticator must check who uses it, and keep the user's id. */
  registrationOptions(user: { readonly id: string; readonly email: string }, existing: readonly Passkey[]) {
    return generateRegistrationOptions({
      rpName: this.id,
      rpID: this.id,
      userID: new TextEncoder().encode(user.id),
      userName: user.email,
      userDisplayName: user.email,
      timeout: CHALLENGE_SECONDS * 1000,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: existing.map(({ credentialId: id, transports }) => ({
        id,
        transports: [...transports],
      })),
    });
  }

  /** The options with which a browser signs in. They name no passkey, so they reveal nothing about accounts. */
  signInOptions() {
    return generateAuthenticationOptions({
      rpID: this.id,
      timeout: CHALLENGE_SECONDS * 1000,
      userVerification: 'required',
    });
  }

  /** @throws {Rejection} when the passkey was not made for this challenge and this app, by a user who was verified */
  async madePasskey(answer: Answer, challenge: string): Promise<MadePasskey> {
    const response = answer as RegistrationResponseJSON;
    const made = await checked(async () => {
      requireNoCertificate(response.response.attestationObject);
      const expected = { ...this.expected(answer, challenge), supportedAlgorithmIDs: ALGORITHMS };
      return verifyRegistrationResponse({ response, ...expected });
    });
    const { credential } = made.registrationInfo ?? refuse(problems.passkeyRefused);
    const publicKey = Buffer.from(credential.publicKey);
    if (publicKey.length > MAX_KEY_BYTES) refuse(problems.passkeyRefused);
    const named: readonly unknown[] = Array.isArray(credential.transports) ? credential.transports : [];
    const transports = TRANSPORTS.filter((transport) => named.includes(transport));
    return { credentialId: credential.id, publicKey, counter: String(credential.counter), transports };
  }

  /**
   * The counter of a right answer to the challenge.
   * @throws {Rejection} when the passkey has not signed it for this app and this user, who was verified
   */
  async signedCounter(answer: Answer, challenge: string, passkey: Passkey): Promise<number> {
    const response = answer as AuthenticationResponseJSON;
    const { id, response: signed } = answer as Partial<AuthenticationResponseJSON> & Answer;
    if (signed?.userHandle !== isoBase64URL.fromUTF8String(passkey.userId)) refuse(problems.passkeyRefused);
    // The library compares counters before it checks the signature. Only the owner of the key may cause a refused counter.
    const credential = { id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 };
    const { verified, authenticationInfo } = await checked(() =>
      verifyAuthenticationResponse({ response, credential, ...this.expected(answer, challenge) }),
    );
    return verified ? authenticationInfo.newCounter : refuse(problems.passkeyRefused);
  }

  private expected({ response }: Answer, expectedChallenge: string) {
    const { clientDataJSON } = response as { clientDataJSON: string };
    const { origin } = decodeClientDataJSON(clientDataJSON);
    const expectedOrigin = isOwnOrigin(this.sites, origin) ? origin : [];
    return { expectedChallenge, expectedOrigin, expectedRPID: this.id, requireUserVerification: true };
  }
}

/** The library throws errors of many classes for answers that are wrong or malformed. */
async function checked<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch {
    return refuse(problems.passkeyRefused);
  }
}

/** No certificate is asked for. Checking one would make this service call the address that it names. */
function requireNoCertificate(attestationObject: string): void {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isPlain = ['none', 'packed'].includes(attestation.get('fmt'));
  if (!isPlain || attestation.get('attStmt').get('x5c') !== undefined) refuse(problems.passkeyRefused);
}

/** Whether an authenticator has signed less often than before, or as often: then there is a copy of it. */
export const isCounterBehind = (counter: number, stored: string): boolean =>
  (counter > 0 || Number(stored) > 0) && counter <= Number(stored);
