// The texts of mails. They are plain text, so a mail program loads nothing from anywhere.

import type { Mail } from './outgoing-mail.js';

/** A mail to a person who may have no account. */
const plainMail = (to: string, subject: string, ...paragraphs: readonly string[]): Mail => ({
  to,
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
});

const SIGNATURE = 'This was sent because of your account. We will never ask you for its content.';

/** A mail to the owner of an account. */
export const mail = (to: string, subject: string, ...paragraphs: readonly string[]): Mail =>
  plainMail(to, subject, ...paragraphs, SIGNATURE);

/** A mail with the same text for each owner of an account. */
const notice =
  (subject: string, ...paragraphs: readonly string[]) =>
  (to: string): Mail =>
    mail(to, subject, ...paragraphs);

export interface AddressLink {
  /** Opens the app, signed in. */
  readonly link: string;
  /** The token of the link, for an app that asks for a code. */
  readonly token: string;
}

/** A mail with a link between two paragraphs. */
const linkMail =
  (subject: string, [before, after]: readonly [string, string], write = mail) =>
  (to: string, { link, token }: AddressLink): Mail =>
    write(to, subject, before, link, 'If your app asks for a code, enter:', token, after);

export const recoveryMail = linkMail('Reset your password', [
  'We received a request to reset the password of your account. If it was you, open this link within an hour:',
  'If it was not you, ignore this mail: your password has not changed.',
]);

/** The link creates the account. */
export const confirmationMail = linkMail(
  'Confirm your address',
  [
    'A person signed up with this address. If it was you, just now, open this link within 24 hours:',
    'If it was not you, ignore this mail, and do not open the link: the account would have the password of the person who signed up. Without the link there is no account.',
  ],
  plainMail,
);

/** To the owner of an account when another person tries to sign up with its address. */
export const signUpAgainMail = notice(
  'You have an account already',
  'A person tried to sign up with this address, which has an account. If it was you, sign in; if you have forgotten the password, reset it.',
  'If it was not you, ignore this mail: nothing has changed.',
);

interface InvitationText {
  /** Opens the app, which accepts the invitation. */
  readonly link: string;
  readonly practice: string;
  /** The address of the person who invites. It is confirmed, and names can be chosen at will. */
  readonly inviter: string;
  readonly role: string;
}

/** Any person can open a practice and choose its name, so the name must not become a link or a sentence of the mail. */
const quoted = (name: string): string =>
  `"${[...name.replace(/[\s"\p{Cc}\p{Cf}]+/gu, ' ')]
    .slice(0, 80)
    .join('')
    .replace(/[.:/@\\](?=\S)/g, '$& ')
    .trim()}"`;

export const invitationMail = (to: string, { link, practice, inviter, role }: InvitationText): Mail =>
  plainMail(
    to,
    'You are invited to a practice',
    `${inviter} invites you to work in the practice ${quoted(practice)}, with the role ${role.replace('_', ' ')}. Open this link within seven days, and sign in with this address, or sign up with it if you have no account yet:`,
    link,
    `If you do not know ${inviter}, ignore this mail: nothing happens.`,
  );

export const nonceMail = (to: string, nonce: string): Mail =>
  mail(
    to,
    'Confirm that it is you',
    'Enter this code in the app within ten minutes:',
    nonce,
    'If the app did not ask you for a code, another person is using your account: sign in and change your password.',
  );

export const passwordChangedMail = notice(
  'Your password was changed',
  'The password of your account was changed. All other sessions were signed out.',
  'If it was not you, reset it now.',
);

/** To the owner who has requested an export. The link is in the response only. */
export const exportMail = notice(
  'An export of your practice was requested',
  'An export of all records of your practice was requested with your account.',
  'If it was not you, change your password at once: the link to the archive ends with it.',
);

/**
 * To the present address of an account.
 * @param email the new address
 */
export const approveAddressMail = (to: string, { email, ...link }: AddressLink & { email: string }): Mail =>
  linkMail('Approve the new address of your account', [
    `We received a request to change the address of your account to ${email}. If it was you, open this link within 24 hours, and also the one that we have sent to the new address:`,
    'If it was not you, do not open the link, and change your password at once: another person is using your account.',
  ])(to, link);

/** To the new address. */
export const confirmAddressMail = linkMail(
  'Confirm your new address',
  [
    'We received a request to use this address for an account. If it was you, open this link within 24 hours, and also the one that we have sent to the present address of the account:',
    'If it was not you, ignore this mail: nothing happens.',
  ],
  plainMail,
);

/** To the owner of an address that another user entered for another account. */
export const addressInUseMail = notice(
  'Your address was entered for another account',
  'A person entered this address as the new address of another account. It belongs to your account, so this is not possible, and nothing has changed.',
);

/** To the previous address. */
export const addressChangedMail = notice(
  'The address of your account was changed',
  'Your account now has another mail address. This one no longer signs in.',
  'If it was not you, contact the operator of this service at once.',
);

export const factorAddedMail = notice(
  'A second factor was added to your account',
  'An authenticator app was added to your account. Signing in now needs its code too. All other sessions were signed out.',
  'If it was not you, sign in, remove it and change your password at once.',
);

export const factorRemovedMail = notice(
  'A second factor was removed from your account',
  'An authenticator app was removed from your account.',
  'If it was not you, sign in, add it again and change your password at once.',
);

export const recoveryCodeUsedMail = notice(
  'A recovery code was used',
  'A recovery code of your account took the place of your authenticator app. It cannot be used again.',
  'If it was not you, sign in, create new codes and change your password at once.',
);

export const recoveryCodesMail = notice(
  'New recovery codes were created for your account',
  'New recovery codes were created for your account. Earlier ones no longer count.',
  'If it was not you, sign in, create new codes and change your password at once.',
);

export const passkeyAddedMail = notice(
  'A passkey was added to your account',
  'A passkey was added to your account. It signs in without your password, also after the password was changed.',
  'If it was not you, sign in, remove it and change your password at once.',
);

export const passkeyRemovedMail = notice(
  'A passkey was removed from your account',
  'A passkey was removed from your account.',
  'If it was not you, sign in, look at your passkeys and change your password at once.',
);

export const passkeyCopiedMail = notice(
  'A passkey of your account was refused',
  'A passkey of your account was refused, because its counter went back. Another device may have a copy of it.',
  'Sign in with another passkey or your password, and remove the passkey.',
);

interface Reset {
  /** The owner who has decided. */
  readonly owner: string;
  readonly member: string;
  readonly outcome: 'reset' | 'released';
}

/** To the person whose second factors an owner has reset, or whose access an owner has released after that. */
export const factorsResetMail = ({ owner, member, outcome }: Reset): Mail =>
  outcome === 'reset'
    ? mail(
        member,
        'The second factors of your account were reset',
        `${owner}, an owner of your practice, has removed the authenticator apps and passkeys of your account, and signed you out of that practice. Sign in with your password, and add them again.`,
        'If you work in other practices, your app asks for a code that is mailed to you, or for one of your recovery codes, before you can enter them with a new sign-in. An owner there can also let you in. Your recovery codes are good for nothing else now.',
        'If you do not want this owner to be able to do it again, leave the practice.',
        'If you did not ask for it, change your password at once.',
      )
    : mail(
        member,
        'You can work in another practice again',
        `${owner}, an owner of one of your practices, has confirmed that your second factors were reset. You can work there again.`,
        'If you did not ask for it, change your password at once.',
      );

/** To the owner who reset the factors or released the access. */
export const memberResetMail = ({ owner, member, outcome }: Reset): Mail =>
  mail(
    owner,
    'You have reset the second factors of a member',
    `Your account has ${outcome === 'reset' ? 'removed the second factors of' : 'let in again, after a reset of second factors,'} the member ${member}.`,
    'If it was not you, sign in, change your password and look at the members of your practice at once.',
  );
