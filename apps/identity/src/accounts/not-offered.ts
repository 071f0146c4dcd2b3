// Calls of Supabase's clients that this API does not offer, refused with the codes and messages that the clients know.

import type { Handlers } from '../calls/call.js';
import { emailOf, isText } from '../calls/fields.js';
import {
  linkingDisabled,
  missingOtpAddress,
  noPhone,
  otpDisabled,
  passkeysDisabled,
  refuse,
  ssoDisabled,
  unknownProvider,
} from '../calls/problems.js';

export const notOffered: Handlers<'otp' | 'authorize' | 'sso' | 'linkIdentity' | 'passkeys'> = {
  otp: ({ fields }) => {
    const { email, phone } = fields();
    if (isText(phone)) refuse(noPhone);
    emailOf(email) ?? refuse(missingOtpAddress);
    return refuse(otpDisabled);
  },
  authorize: () => refuse(unknownProvider),
  sso: () => refuse(ssoDisabled),
  linkIdentity: () => refuse(linkingDisabled),
  passkeys: () => refuse(passkeysDisabled),
};
