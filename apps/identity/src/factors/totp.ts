// Time-based one-time passwords (RFC 6238), as authenticator apps make them: six digits, a new one every 30 seconds.

import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Codes of the neighbouring steps count too, as clocks differ and typing takes time. */
const WINDOW = 1;

/** The secret for an authenticator app: as a picture, as text, and in a link. */
export interface Enrollment {
  readonly qr_code: string;
  readonly secret: string;
  readonly uri: string;
}

export const newSecret = (): Uint8Array => new Secret({ size: SECRET_BYTES }).bytes;

/**
 * @param issuer the name of the app that the code is for
 * @param label the address of the account
 */
export function enrollmentOf(secret: Uint8Array, issuer: string, label: string): Enrollment {
  const totp = new TOTP({ issuer, label, secret: secretOf(secret) });
  const uri = totp.toString();
  return { qr_code: renderSVG(uri, { ecc: 'M', border: 2 }), secret: totp.secret.base32, uri };
}

/** The step that a code belongs to: codes of later steps have higher numbers. Undefined when the code is wrong. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | undefined {
  const delta = TOTP.validate({ token: code, secret: secretOf(secret), timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer });
