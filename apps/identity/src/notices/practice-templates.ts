// The texts of mails to each owner of a practice.

import { mail } from './templates.js';
import type { Mail } from './outgoing-mail.js';

interface About {
  /** The name of the practice. */
  readonly name: string;
  /** The address of the owner who closed or reopened the practice. */
  readonly by: string;
}

export const practiceClosedMail = (
  to: string,
  { name, by, eraseAt }: About & { readonly eraseAt: string },
): Mail =>
  mail(
    to,
    'Your practice was closed',
    `${by}, an owner of the practice "${name}", has closed it. It is read-only now, and everything in it is erased at ${eraseAt}.`,
    'Until then, you can sign in, read and export everything, and open the practice again.',
    'If you do not agree, sign in and reopen the practice.',
  );

export const practiceReopenedMail = (to: string, { name, by }: About): Mail =>
  mail(
    to,
    'Your practice was opened again',
    `${by}, an owner of the practice "${name}", has opened it again. It is not erased.`,
  );

export const practiceErasedMail = (to: string, name: string): Mail =>
  mail(
    to,
    'Your practice was erased',
    `The practice "${name}" was erased, as it had been closed. If you are a member of no other practice, your account was erased with it.`,
  );

/** The reason is not in the mail, as it may concern a client. */
export const glassBrokenMail = (to: string, { member, until }: { member: string; until: string }): Mail =>
  mail(
    to,
    'A member has taken break-glass access',
    `${member}, a member of your practice, has taken break-glass access for an emergency, and can read session notes until ${until}.`,
    'The reason is among the security events of your practice, and the access log lists each read of confidential records under this access.',
    'If you do not agree, change the role of the member, or remove the member: both end the access at once.',
  );
