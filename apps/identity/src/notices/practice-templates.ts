// The texts of mails about the end of a practice, to each of its owners.

import type { Mail } from './outgoing-mail.js';
import { SIGNATURE } from './templates.js';

interface About {
  /** The name of the practice. */
  readonly name: string;
  /** The address of the owner who did it. */
  readonly by: string;
}

export const practiceClosedMail = (
  to: string,
  { name, by, eraseAt }: About & { readonly eraseAt: string },
): Mail => ({
  to,
  subject: 'Your practice was closed',
  text: `${by}, an owner of the practice "${name}", has closed it. It is read-only now, and everything in it is erased at ${eraseAt}.

Until then, you can sign in, read and export everything, and open the practice again.

If you do not agree, sign in and reopen the practice.${SIGNATURE}`,
});

export const practiceReopenedMail = (to: string, { name, by }: About): Mail => ({
  to,
  subject: 'Your practice was opened again',
  text: `${by}, an owner of the practice "${name}", has opened it again. It is not erased.${SIGNATURE}`,
});

export const practiceErasedMail = (to: string, name: string): Mail => ({
  to,
  subject: 'Your practice was erased',
  text: `The practice "${name}" was erased, as it had been closed. If you are a member of no other practice, your account was erased with it.${SIGNATURE}`,
});
