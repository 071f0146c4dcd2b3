// The texts of mails. They are plain text, so a mail program loads nothing from anywhere.

import type { Mail } from './outgoing-mail.js';

const SIGNATURE = '\n\nThis was sent because of your account. We will never ask you for its content.\n';

/** A mail to the owner of an account. */
export const mail = (to: string, subject: string, text: string): Mail => ({
  to,
  subject,
  text: text + SIGNATURE,
});

/** A mail with the same text for each owner of an account. */
export const notice =
  (subject: string, text: string) =>
  (to: string): Mail =>
    mail(to, subject, text);

interface AddressLink {
  /** Opens the app, signed in. */
  readonly link: string;
  /** The token of the link, for an app that asks for a code. */
  readonly token: string;
}

const withLink = (before: string, { link, token }: AddressLink, after: string): string =>
  [before, link, 'If your app asks for a code, enter:', token, after].join('\n\n');

export const recoveryMail = (to: string, link: AddressLink): Mail =>
  mail(
    to,
    'Reset your password',
    withLink(
      'We received a request to reset the password of your account. If it was you, open this link within an hour:',
      link,
      'If it was not you, ignore this mail: your password has not changed.',
    ),
  );

/** The link creates the account. */
export const confirmationMail = (to: string, link: AddressLink): Mail => ({
  to,
  subject: 'Confirm your address',
  text: withLink(
    'A person signed up with this address. If it was you, just now, open this link within 24 hours:',
    link,
    'If it was not you, ignore this mail, and do not open the link: the account would have the password of the person who signed up. Without the link there is no account.\n',
  ),
});

/** To the owner of an account when another person tries to sign up with its address. */
export const signUpAgainMail = notice(
  'You have an account already',
  `A person tried to sign up with this address, which has an account. If it was you, sign in; if you have forgotten the password, reset it.

If it was not you, ignore this mail: nothing has changed.`,
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

export const invitationMail = (to: string, { link, practice, inviter, role }: InvitationText): Mail => ({
  to,
  subject: 'You are invited to a practice',
  text: `${inviter} invites you to work in the practice ${quoted(practice)}, with the role ${role.replace('_', ' ')}. Open this link within seven days, and sign in with this address, or sign up with it if you have no account yet:

${link}

If you do not know ${inviter}, ignore this mail: nothing happens.\n`,
});

export const nonceMail = (to: string, nonce: string): Mail =>
  mail(
    to,
    'Confirm that it is you',
    `Enter this code in the app within ten minutes:

${nonce}

If the app did not ask you for a code, another person is using your account: sign in and change your password.`,
  );

export const passwordChangedMail = notice(
  'Your password was changed',
  `The password of your account was changed. All other sessions were signed out.

If it was not you, reset it now.`,
);

/** To the owner who has requested an export. The link is in the response only. */
export const exportMail = notice(
  'An export of your practice was requested',
  `An export of all records of your practice was requested with your account.

If it was not you, change your password at once: the link to the archive ends with it.`,
);

/**
 * To the present address of an account.
 * @param email the new address
 */
export const approveAddressMail = (to: string, { email, ...link }: AddressLink & { email: string }): Mail =>
  mail(
    to,
    'Approve the new address of your account',
    withLink(
      `We received a request to change the address of your account to ${email}. If it was you, open this link within 24 hours, and also the one that we have sent to the new address:`,
      link,
      'If it was not you, do not open the link, and change your password at once: another person is using your account.',
    ),
  );

/** To the new address. */
export const confirmAddressMail = (to: string, link: AddressLink): Mail => ({
  to,
  subject: 'Confirm your new address',
  text: withLink(
    'We received a request to use this address for an account. If it was you, open this link within 24 hours, and also the one that we have sent to the present address of the account:',
    link,
    'If it was not you, ignore this mail: nothing happens.\n',
  ),
});

/** To the owner of an address that another user entered for another account. */
export const addressInUseMail = notice(
  'Your address was entered for another account',
  'A person entered this address as the new address of another account. It belongs to your account, so this is not possible, and nothing has changed.',
);

/** To the previous address. */
export const addressChangedMail = notice(
  'The address of your account was changed',
  `Your account now has another mail address. This one no longer signs in.

If it was not you, contact the operator of this service at once.`,
);

export const factorAddedMail = notice(
  'A second factor was added to your account',
  `An authenticator app was added to your account. Signing in now needs its code too. All other sessions were signed out.

If it was not you, sign in, remove it and change your password at once.`,
);

export const factorRemovedMail = notice(
  'A second factor was removed from your account',
  `An authenticator app was removed from your account.

If it was not you, sign in, add it again and change your password at once.`,
);

export const recoveryCodeUsedMail = notice(
  'A recovery code was used',
  `A recovery code of your account took the place of your authenticator app. It cannot be used again.

If it was not you, sign in, create new codes and change your password at once.`,
);

export const recoveryCodesMail = notice(
  'New recovery codes were created for your account',
  `New recovery codes were created for your account. Earlier ones no longer count.

If it was not you, sign in, create new codes and change your password at once.`,
);

type ResetOutcome = 'reset' | 'released';

/** To the person whose second factors an owner has reset, or whose access an owner has released after that. */
export const factorsResetMail = (
  to: string,
  { owner, outcome }: { readonly owner: string; readonly outcome: ResetOutcome },
): Mail =>
  outcome === 'reset'
    ? mail(
        to,
        'The second factors of your account were reset',
        `${owner}, an owner of your practice, has removed the authenticator apps of your account, and signed you out of that practice. Sign in with your password, and add an authenticator app again.

If you work in other practices, your app asks for a code that is mailed to you, or for one of your recovery codes, before you can enter them with a new sign-in. An owner there can also let you in. Your recovery codes are good for nothing else now.

If you do not want this owner to be able to do it again, leave the practice.

If you did not ask for it, change your password at once.`,
      )
    : mail(
        to,
        'You can work in another practice again',
        `${owner}, an owner of one of your practices, has confirmed that your second factors were reset. You can work there again.

If you did not ask for it, change your password at once.`,
      );

/** To the owner who reset the factors or released the access. */
export const memberResetMail = (
  to: string,
  { member, outcome }: { readonly member: string; readonly outcome: ResetOutcome },
): Mail =>
  mail(
    to,
    'You have reset the second factors of a member',
    `Your account has ${outcome === 'reset' ? 'removed the second factors of' : 'let in again, after a reset of second factors,'} the member ${member}.

If it was not you, sign in, change your password and look at the members of your practice at once.`,
  );

/** To each owner of the practice. The reason is not in the mail, as it may concern a client. */
export const glassBrokenMail = (to: string, { member, until }: { member: string; until: string }): Mail =>
  mail(
    to,
    'A member has taken break-glass access',
    `${member}, a member of your practice, has taken break-glass access for an emergency, and can read session notes until ${until}.

The reason is among the security events of your practice, and the access log lists each read of confidential records under this access.

If you do not agree, change the role of the member, or remove the member: both end the access at once.`,
  );
