import { expect } from '@jest/globals';
import type { PracticeRole } from '@practice/core';
import { signIn } from './accounts.js';
import { invitationToken } from './invitations.js';
import { newPractice, practiceOf, type Practice } from './practice.js';
import { make, patient, write } from './records.js';

export interface Member {
  /** Makes calls as the member, who has switched to the practice. */
  readonly member: Practice;
  readonly membershipId: string;
}

/**
 * Invites a new person to a practice. The person accepts the invitation and switches to the practice.
 * @param origin a gateway for the member's calls; the first one if omitted
 */
export async function memberOf(practice: Practice, role: PracticeRole, origin?: string): Promise<Member> {
  const person = await newPractice(origin);
  const { id: membershipId } = await make(practice, 'memberships', { email: person.email, role });
  const accept = { method: 'POST', body: { token: await invitationToken(membershipId) } };
  expect((await write(person, 'rpc/accept_invitation', accept)).status).toBe(200);
  const there = { method: 'POST', body: { therapist_id: practice.therapistId } };
  expect((await write(person, 'rpc/switch_practice', there)).status).toBe(200);
  const signedIn = await patient(() => signIn(person, origin));
  return { member: practiceOf(person, signedIn, origin), membershipId };
}
