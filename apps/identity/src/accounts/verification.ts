// Reads the body of POST /verify. Errors have Supabase's messages, in Supabase's order of checks.

import { isText } from './fields.js';
import type { Fields } from './fields.js';
import {
  codeExpired,
  linkExpired,
  missingToken,
  missingVerification,
  onlyEmail,
  onlyTokenHash,
  refuse,
  unknownVerification,
} from './problems.js';
import type { AuthProblem } from './problems.js';

/** Mails that this API never sends, as addresses count as confirmed; a token for one of them is never valid. */
const NEVER_SENT = new Set(['signup', 'invite', 'magiclink', 'email', 'email_change', 'sms', 'phone_change']);

/**
 * The token of a recovery mail.
 * @throws {Rejection} when it is missing or for something else
 */
export function recoveryTokenOf(fields: Fields): string {
  const { type, token, token_hash: hash, email, phone, redirect_to: redirect } = fields;
  if (!isText(type)) return refuse(missingVerification);
  if (isText(token) === isText(hash)) return refuse(missingToken);
  const isNamed = isText(email) || isText(phone);
  if (!isText(hash)) return refuse(isNamed ? codeProblem(type) : onlyEmail);
  if (isNamed || isText(redirect)) return refuse(onlyTokenHash);
  return type === 'recovery' ? hash : refuse(NEVER_SENT.has(type) ? linkExpired : unknownVerification);
}

/** Mails of this API contain no short codes, which are sent together with an address. */
const codeProblem = (type: string): AuthProblem =>
  type === 'recovery' || NEVER_SENT.has(type) ? codeExpired : unknownVerification;
