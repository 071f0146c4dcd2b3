// Reads the body of POST /verify. Errors have Supabase's messages, in Supabase's order of checks.

import type { VerificationType } from '../notices/site-links.js';
import { isText } from '../calls/fields.js';
import type { Fields } from '../calls/fields.js';
import {
  codeExpired,
  linkExpired,
  missingToken,
  missingVerification,
  onlyEmail,
  onlyTokenHash,
  refuse,
  unknownVerification,
} from '../calls/problems.js';
import type { AuthProblem } from '../calls/problems.js';

/** Purposes of the tokens in our mails. `email` is the newer name of `signup`. */
const SENT: ReadonlyMap<string, VerificationType> = new Map([
  ['recovery', 'recovery'],
  ['signup', 'signup'],
  ['email', 'signup'],
  ['email_change', 'email_change'],
]);

/** Mails that this API never sends; a token for one of them is never valid. */
const NEVER_SENT = new Set(['invite', 'magiclink', 'sms', 'phone_change']);

export const isVerificationType = (type: string | null): type is VerificationType =>
  type !== null && SENT.get(type) === type;

/**
 * The token of a mail and its kind.
 * @throws {Rejection} when a part is missing, or the token is for something else
 */
export function verificationOf(fields: Fields): { readonly type: VerificationType; readonly token: string } {
  const { type, token, token_hash: hash, email, phone, redirect_to: redirect } = fields;
  if (!isText(type)) return refuse(missingVerification);
  if (isText(token) === isText(hash)) return refuse(missingToken);
  const isNamed = isText(email) || isText(phone);
  if (!isText(hash)) return refuse(isNamed ? codeProblem(type) : onlyEmail);
  if (isNamed || isText(redirect)) return refuse(onlyTokenHash);
  const known = SENT.get(type) ?? refuse(NEVER_SENT.has(type) ? linkExpired : unknownVerification);
  return { type: known, token: hash };
}

/** Mails of this API contain no short codes, which are sent together with an address. */
const codeProblem = (type: string): AuthProblem =>
  SENT.has(type) || NEVER_SENT.has(type) ? codeExpired : unknownVerification;
