// Calls of Supabase's clients that this API does not offer, refused with the codes and messages that the clients know.

import type { Handlers } from './call.js';
import { emailOf, isText } from './fields.js';
import {
  factorsDisabled,
  linkingDisabled,
  missingOtpAddress,
  missingResendAddress,
  missingResendType,
  noPhone,
  otpDisabled,
  passkeysDisabled,
  refuse,
  ssoDisabled,
  unknownProvider,
} from './problems.js';

/** Addresses count as confirmed and change at once, so these mails are never sent. */
const RESENDABLE = new Set(['signup', 'email_change']);

export const notOffered: Handlers<
  'otp' | 'resend' | 'authorize' | 'sso' | 'linkIdentity' | 'factors' | 'passkeys'
> = {
  otp: ({ fields }) => {
    const { email, phone } = fields();
    if (isText(phone)) refuse(noPhone);
    emailOf(email) ?? refuse(missingOtpAddress);
    return refuse(otpDisabled);
  },
  resend: ({ fields }) => {
    const { type, email, phone } = fields();
    if (type === 'sms' || type === 'phone_change' || isText(phone)) refuse(noPhone);
    if (!isText(type) || !RESENDABLE.has(type)) refuse(missingResendType);
    emailOf(email) ?? refuse(missingResendAddress);
    return { body: {} };
  },
  authorize: () => refuse(unknownProvider),
  sso: () => refuse(ssoDisabled),
  linkIdentity: () => refuse(linkingDisabled),
  factors: () => refuse(factorsDisabled),
  passkeys: () => refuse(passkeysDisabled),
};
