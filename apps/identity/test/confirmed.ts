import { randomUUID } from 'node:crypto';
import { auth, practiceOf, type Practice } from '@practice/testing';
import { tokenIn, type Mailbox } from './mailbox.js';

/** Signs up a new practice in a system that confirms addresses, and answers the mail. */
export async function confirmedPractice(origin: string, mailbox: Mailbox): Promise<Practice> {
  const credentials = { email: `practice-${randomUUID()}@example.com`, password: randomUUID() };
  const { email } = credentials;
  const asked = await auth('POST', 'signup', { body: credentials, origin });
  if (asked.status !== 200) throw new Error(`sign-up was answered ${asked.status}: ${asked.text}`);
  const token_hash = await tokenIn(mailbox, email, 'Confirm your address');
  const body = { type: 'signup', token_hash };
  return practiceOf(credentials, await auth('POST', 'verify', { body, origin }), origin);
}
