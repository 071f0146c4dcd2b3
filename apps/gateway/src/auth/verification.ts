// What POST /verify is asked: which token, sent for what. Refused in the words and the order of Supabase's.

import type { Fields } from './auth-body.js';
import {
  codeExpired,
  linkExpired,
  missingToken,
  missingVerification,
  onlyEmail,
  onlyTokenHash,
  refuse,
  unknownVerification,
} from './errors.js';
import type { AuthProblem } from './errors.js';

/** Of these mails none is ever sent, as every address counts as confirmed: whatever is shown for one is not good. */
const NEVER_SENT = new Set(['signup', 'invite', 'magiclink', 'email', 'email_change', 'sms', 'phone_change']);

/**
 * The token of a recovery mail.
 * @throws {Rejection} when another one is meant, or none
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

/** Our mails carry no short codes that an address would have to be named with. */
const codeProblem = (type: string): AuthProblem =>
  type === 'recovery' || NEVER_SENT.has(type) ? codeExpired : unknownVerification;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
