// The texts of mails. They are plain text, so a mail program loads nothing from anywhere.

import type { Mail } from './outgoing-mail.js';

const SIGNATURE = '\n\nThis was sent because of your account. We will never ask you for its content.\n';

/**
 * @param link opens the app, signed in
 * @param token the same as a code, for an app that asks for one
 */
export const recoveryMail = (to: string, { link, token }: { link: string; token: string }): Mail => ({
  to,
  subject: 'Reset your password',
  text: `We received a request to reset the password of your account. If it was you, open this link within an hour:

${link}

If your app asks for a code, enter:

${token}

If it was not you, ignore this mail: your password has not changed.${SIGNATURE}`,
});

export const nonceMail = (to: string, nonce: string): Mail => ({
  to,
  subject: 'Confirm that it is you',
  text: `Enter this code in the app within ten minutes:

${nonce}

If the app did not ask you for a code, another person is using your account: sign in and change your password.${SIGNATURE}`,
});

export const passwordChangedMail = (to: string): Mail => ({
  to,
  subject: 'Your password was changed',
  text: `The password of your account was changed. All other sessions were signed out.

If it was not you, reset it now.${SIGNATURE}`,
});

/** @param to the previous address */
export const addressChangedMail = (to: string): Mail => ({
  to,
  subject: 'The address of your account was changed',
  text: `Your account now has another mail address. This one no longer signs in.

If it was not you, contact the operator of this service at once.${SIGNATURE}`,
});
