// The checks of WebAuthn (https://www.w3.org/TR/webauthn-3/). The relying party is the app at `SITE_URL`.

import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { problems, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import type { Passkey } from '../store/passkey.entities.js';
import type { Answer } from './answer.js';
import { CHALLENGE_SECONDS } from './challenges.js';

/** Loaded for the first passkey: reading certificates takes a tenth of the code of this service. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

type Sites = Pick<IdentityConfig, 'siteUrl' | 'baseUrl'>;

/** EdDSA, ES256 and RS256: authenticators have at least one of them. */
const ALGORITHMS = [-8, -7, -257];
/** The maximum size of a public key. An RSA key of 4096 bits is smaller. */
const MAX_KEY_BYTES = 1024;
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** The host of the app, which passkeys are bound to. Browsers allow none for an IP address, so it becomes `localhost`. */
export function relyingPartyId({ siteUrl }: Pick<Sites, 'siteUrl'>): string {
  const { hostname } = new URL(siteUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
}

/** Whether a page of this origin may use the passkeys: a page of the app or of the API. On `localhost`, any port may. */
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

  /** The options with which a browser makes a passkey. The authenticator must verify its user, and store the user's id. */
  async registrationOptions(
    user: { readonly id: string; readonly email: string },
    existing: readonly Passkey[],
  ) {
    const { generateRegistrationOptions } = await library();
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
  async signInOptions() {
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({
      rpID: this.id,
      timeout: CHALLENGE_SECONDS * 1000,
      userVerification: 'required',
    });
  }

  /** @throws {Rejection} when the passkey was made for another challenge or app, or the authenticator has not verified the user */
  async madePasskey(answer: Answer, challenge: string): Promise<MadePasskey> {
    const response = answer as RegistrationResponseJSON;
    const made = await checked(async () => {
      await requireNoCertificate(response.response.attestationObject);
      const { verifyRegistrationResponse } = await library();
      const expected = { ...(await this.expected(answer, challenge)), supportedAlgorithmIDs: ALGORITHMS };
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
   * @throws {Rejection} when the passkey has not signed the challenge for this app and user, or the authenticator has not verified the user
   */
  async signedCounter(answer: Answer, challenge: string, passkey: Passkey): Promise<number> {
    const response = answer as AuthenticationResponseJSON;
    const { id, response: signed } = answer as Partial<AuthenticationResponseJSON> & Answer;
    if (signed?.userHandle !== Buffer.from(passkey.userId).toString('base64url'))
      refuse(problems.passkeyRefused);
    // The library would compare counters before it checks the signature. Only the owner of the key may cause a refused counter.
    const credential = { id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 };
    const { verified, authenticationInfo } = await checked(async () => {
      const { verifyAuthenticationResponse } = await library();
      return verifyAuthenticationResponse({
        response,
        credential,
        ...(await this.expected(answer, challenge)),
      });
    });
    return verified ? authenticationInfo.newCounter : refuse(problems.passkeyRefused);
  }

  private async expected({ response }: Answer, expectedChallenge: string) {
    const { clientDataJSON } = response as { clientDataJSON: string };
    const { decodeClientDataJSON } = await helpers();
    const { origin } = decodeClientDataJSON(clientDataJSON);
    const expectedOrigin = isOwnOrigin(this.sites, origin) ? origin : [];
    return { expectedChallenge, expectedOrigin, expectedRPID: this.id, requireUserVerification: true };
  }
}

/** Refuses a wrong or malformed answer, for which the library throws errors of many classes. */
async function checked<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch {
    return refuse(problems.passkeyRefused);
  }
}

/** Refuses certificates. The service asks for none, and checking one would make it call the address in the certificate. */
async function requireNoCertificate(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isPlain = ['none', 'packed'].includes(attestation.get('fmt'));
  if (!isPlain || attestation.get('attStmt').get('x5c') !== undefined) refuse(problems.passkeyRefused);
}

/** Whether a counter is not above the stored one, which means that another device has a copy of the key. Two zeros: no counter. */
export const isCounterBehind = (counter: number, stored: string): boolean =>
  (counter > 0 || Number(stored) > 0) && counter <= Number(stored);
