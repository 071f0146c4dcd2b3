// What is written to the owner of an account. Plain text: nothing in it is loaded from anywhere.

import type { Mail } from './outgoing-mail.js';

const SIGNATURE = '\n\nThis was sent because of your account. Nobody will ever ask you for what is in it.\n';

/** @param link opens the app, signed in; @param token the same for an app that asks for it */
export const recoveryMail = (to: string, { link, token }: { link: string; token: string }): Mail => ({
  to,
  subject: 'Reset your password',
  text: `Somebody asked to reset the password of your account. If it was you, open this link within an hour:

${link}

If your app asks for a code, it is

${token}

If it was not you, there is nothing to do: your password stays as it is.${SIGNATURE}`,
});

export const nonceMail = (to: string, nonce: string): Mail => ({
  to,
  subject: 'Confirm that it is you',
  text: `Enter this code where you were asked for it, within ten minutes:

${nonce}

If you were not asked for one, somebody else uses your account: sign in and change your password.${SIGNATURE}`,
});

export const passwordChangedMail = (to: string): Mail => ({
  to,
  subject: 'Your password was changed',
  text: `The password of your account was changed, and everyone else who was signed in with it is no longer.

If it was not you, reset it now.${SIGNATURE}`,
});

/** @param to the address that it was until now: its owner should know */
export const addressChangedMail = (to: string): Mail => ({
  to,
  subject: 'The address of your account was changed',
  text: `Your account has another mail address from now on; this one no longer signs in.

If it was not you, write to whoever runs this service now.${SIGNATURE}`,
});
