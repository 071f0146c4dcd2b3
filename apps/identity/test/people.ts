// People of a practice, for specs with the real client.

import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { invitationToken } from '@practice/testing';
import { claimsOf as claimsIn, type Person, signUp, tokenOf as tokenIn } from './mfa-accounts.js';

export { signUp, type Person } from './mfa-accounts.js';

export const tokenOf = ({ supabase }: Person): Promise<string> => tokenIn(supabase);

export const claimsOf = ({ supabase }: Person): Promise<Record<string, unknown>> => claimsIn(supabase);

export async function invite(owner: Person, email: string, role = 'front_desk'): Promise<string> {
  const { data, error } = await owner.supabase
    .from('memberships')
    .insert({ email, role, display_name: 'Ed' })
    .select('id,status,user_id')
    .single();
  expect(error).toBeNull();
  expect(data).toMatchObject({ status: 'invited', user_id: null });
  return (data as { id: string }).id;
}

export interface Member extends Person {
  readonly membershipId: string;
}

/** Invites a new person, who accepts and switches to the practice. */
export async function joined(owner: Person, role: string): Promise<Member> {
  const email = `person-${randomUUID()}@example.com`;
  const membershipId = await invite(owner, email, role);
  return accepted(owner, await signUp(email), { role, membershipId });
}

/** Invites a person who has an account. The person accepts and switches to the practice. */
export async function join(owner: Person, person: Person, role: string): Promise<Member> {
  return accepted(owner, person, { role, membershipId: await invite(owner, person.email, role) });
}

async function accepted(
  owner: Person,
  person: Person,
  { role, membershipId }: { readonly role: string; readonly membershipId: string },
): Promise<Member> {
  const token = await invitationToken(membershipId);
  const answer = await person.supabase.rpc('accept_invitation', { token });
  expect(answer).toMatchObject({ error: null, data: { therapist_id: owner.id, role } });
  await switchTo(person, owner.id);
  return { ...person, membershipId };
}

export async function switchTo(person: Person, therapistId: string): Promise<void> {
  const { error } = await person.supabase.rpc('switch_practice', { therapist_id: therapistId });
  expect(error).toBeNull();
  expect((await person.supabase.auth.refreshSession()).error).toBeNull();
}

/** Repeats an expectation until it holds. Fails after this time. */
export async function within(ms: number, holds: () => Promise<void>): Promise<void> {
  const end = Date.now() + ms;
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
