// The mails about passkeys.

import { notice } from './templates.js';

export const passkeyAddedMail = notice(
  'A passkey was added to your account',
  `A passkey was added to your account. It signs in without your password, also after the password was changed.

If it was not you, sign in, remove it and change your password at once.`,
);

export const passkeyRemovedMail = notice(
  'A passkey was removed from your account',
  `A passkey was removed from your account.

If it was not you, sign in, look at your passkeys and change your password at once.`,
);

export const passkeyCopiedMail = notice(
  'A passkey of your account was refused',
  `A passkey of your account was refused, because its counter went back. Another device may have a copy of it.

Sign in with another passkey or your password, and remove the passkey.`,
);
