// The people of the demo practice besides its owner. They accept their invitations, which a practice without a mail server finds in
// the log.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@practice/operator';
import type { Login } from '../stack/welcome.js';
import { ask, demand, type ApiAccess } from './api.js';

const invited = [
  { email: 'therapist@example.com', display_name: 'Leo Brandt', role: 'therapist' },
  { email: 'frontdesk@example.com', display_name: 'Nadia Rahman', role: 'front_desk' },
  { email: 'billing@example.com', display_name: 'Tom Okafor', role: 'billing' },
] as const;
export const OWNER = 'Dr. Ruth Adler';

interface Membership {
  readonly email: string;
  readonly user_id: string | null;
}

/**
 * Adds the people who are missing. The owner does the work of a person who cannot join.
 * @returns the ids of members with clients, and the API access of members
 */
export async function peopleOf(owner: ApiAccess & { readonly dataDir: string }, login: Login) {
  const before = await membersOf(owner);
  const missing = invited.filter(({ email }) => !before.some((member) => member.email === email));
  if (missing.length > 0) await demand(owner, '/rest/v1/memberships', missing);
  const sessions: (ApiAccess | undefined)[] = [];
  for (const person of invited) sessions.push(await joined(owner, login.password, person));
  const members = await membersOf(owner);
  const [therapist = owner, , billing = owner] = sessions;
  const idOf = (email: string): string | undefined =>
    members.find((member) => member.email === email)?.user_id ?? undefined;
  const ownerId = idOf(login.email) ?? '';
  return { owner, therapist, billing, ownerId, therapistId: idOf(invited[0].email) ?? ownerId };
}

export type People = Awaited<ReturnType<typeof peopleOf>>;

const membersOf = async (owner: ApiAccess): Promise<Membership[]> =>
  (await demand(owner, '/rest/v1/memberships?select=email,user_id')) as Membership[];

/** Signs the person in, or signs up with the invitation. */
async function joined(
  owner: ApiAccess & { readonly dataDir: string },
  password: string,
  { email, role, display_name: full_name }: (typeof invited)[number],
): Promise<ApiAccess | undefined> {
  const login = { email, password };
  const signedIn = await ask(owner, '/auth/v1/token?grant_type=password', login);
  const invitation = signedIn.status === 200 ? undefined : await invitationIn(owner.dataDir, role);
  const answer =
    invitation === undefined
      ? signedIn
      : await ask(owner, '/auth/v1/signup', { ...login, data: { invitation, full_name } });
  const { access_token: token } = (answer.body ?? {}) as { access_token?: string };
  return token === undefined ? undefined : { ...owner, token };
}

const LOGGED_WITHIN_MS = 3000;

/** The token in the latest mail of the demo's owner for this role; undefined if mails are not in the log. */
async function invitationIn(dataDir: string, role: string): Promise<string | undefined> {
  const mail = new RegExp(
    `(?:demo@example\\.com|${OWNER}) invites you[^}]*role ${role.replace('_', ' ')}\\.[^}]*?invitation=([\\w-]+)`,
    'g',
  );
  const latest = async (): Promise<string | undefined> => {
    const log = await readFile(join(dataDir, 'logs', 'identity.log'), 'utf8').catch(() => '');
    return [...log.matchAll(mail)].at(-1)?.[1];
  };
  return until(latest, { within: LOGGED_WITHIN_MS, every: 100 });
}
