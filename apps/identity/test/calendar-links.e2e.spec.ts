// The people who make, see and end calendar links, and the events that end links. The gateway's calendar.e2e tests the content.

import { describe, expect, it } from '@jest/globals';
import { adminDatabase, auth, call } from '@practice/testing';
import { password } from './mfa-accounts.js';
import { joined, signUp, tokenOf, within, type Person } from './people.js';

const admin = adminDatabase();

interface Link {
  readonly id: string;
  readonly url: string;
}

async function linkOf({ supabase }: Person, given = {}): Promise<Link> {
  const { data, error } = await supabase.rpc('create_calendar_link', given);
  expect(error).toBeNull();
  return data as Link;
}

const statusOf = async ({ url }: Link): Promise<number> => (await fetch(url)).status;

interface Listed {
  readonly id: string;
  readonly user_id: string;
}

const listOf = async ({ supabase }: Person): Promise<Listed[]> =>
  (await supabase.rpc('calendar_links')).data as Listed[];

describe('calendar links', () => {
  it('are made in a session with a recent sign-in, by roles that see what a calendar shows', async () => {
    const owner = await signUp();
    for (const role of ['therapist', 'front_desk', 'read_only'])
      expect(await statusOf(await linkOf(await joined(owner, role)))).toBe(200);
    const billing = await joined(owner, 'billing');
    expect(await billing.supabase.rpc('create_calendar_link')).toMatchObject({
      status: 403,
      error: { code: '42501' },
    });
    const made = await auth('POST', 'tokens', { token: await tokenOf(owner), body: { name: 'script' } });
    const headers = { authorization: `Bearer ${(made.json as { token: string }).token}` };
    const byToken = { method: 'POST', body: {}, headers };
    expect(await call('/rest/v1/rpc/create_calendar_link', byToken)).toMatchObject({ status: 403 });
    const age = `UPDATE identity.sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`;
    await admin.query(age, [owner.id]);
    const old = await owner.supabase.rpc('create_calendar_link');
    expect(old.error).toMatchObject({ code: 'reauthentication_needed' });
    expect(
      (await owner.supabase.rpc('create_calendar_link', { current_password: password })).error,
    ).toBeNull();
  });

  it('are listed for their maker, and for owners; the stored row has no secret', async () => {
    const owner = await signUp();
    const desk = await joined(owner, 'front_desk');
    const [own, other] = [
      await linkOf(owner, { full: true }),
      await linkOf(desk, { practitioner_id: owner.id }),
    ];
    await fetch(other.url);
    expect(await listOf(desk)).toEqual([
      expect.objectContaining({ id: other.id, user_id: desk.id, full: false, practitioner_id: owner.id }),
    ]);
    expect((await listOf(owner)).map(({ id }) => id)).toEqual([other.id, own.id]);
    const { rows } = await admin.query<{ text: string }>(
      `SELECT row_to_json(l)::text AS text FROM identity.calendar_links AS l WHERE id = $1`,
      [other.id],
    );
    expect(rows[0]?.text).toContain('last_used_address":"');
    expect(rows[0]?.text).not.toContain(other.url.slice(-47, -4));
  });

  it('are revoked by their maker and by owners, once, and both are security events', async () => {
    const owner = await signUp();
    const desk = await joined(owner, 'front_desk');
    const links = [await linkOf(owner), await linkOf(desk), await linkOf(desk)] as const;
    const revoke = ({ supabase }: Person, { id }: Link) => supabase.rpc('revoke_calendar_link', { id });
    expect((await revoke(desk, links[0])).error).toMatchObject({ code: 'PM404' });
    expect((await revoke(desk, links[1])).error).toBeNull();
    expect((await revoke(owner, links[2])).error).toBeNull();
    expect((await revoke(owner, links[2])).error).toMatchObject({ code: 'PM404' });
    expect(await Promise.all(links.map(statusOf))).toEqual([200, 404, 404]);
    const { data } = await owner.supabase
      .from('security_events')
      .select('kind,user_id,by_user_id')
      .like('kind', 'calendar_link_*')
      .order('created_at');
    const event = (kind: string, user: Person, by: Person) => ({ kind, user_id: user.id, by_user_id: by.id });
    expect(data).toEqual([
      event('calendar_link_created', owner, owner),
      event('calendar_link_created', desk, desk),
      event('calendar_link_created', desk, desk),
      event('calendar_link_revoked', desk, desk),
      event('calendar_link_revoked', desk, owner),
    ]);
  });

  it('depend on the role of their maker at the time of each read, and end with the membership', async () => {
    const owner = await signUp();
    const member = await joined(owner, 'therapist');
    const link = await linkOf(member);
    const set = (values: object) =>
      owner.supabase.from('memberships').update(values).eq('id', member.membershipId);
    await set({ role: 'billing' });
    expect(await statusOf(link)).toBe(404);
    await set({ role: 'front_desk' });
    expect(await statusOf(link)).toBe(200);
    await set({ status: 'removed' });
    expect(await statusOf(link)).toBe(404);
    expect(await listOf(owner)).toEqual([]);
  });

  it('end with a new password, and do not work while a required second factor is missing', async () => {
    const owner = await signUp();
    const link = await linkOf(owner);
    await admin.query('UPDATE identity.access SET requires_mfa = true WHERE user_id = $1', [owner.id]);
    expect(await statusOf(link)).toBe(404);
    await admin.query('UPDATE identity.access SET requires_mfa = false WHERE user_id = $1', [owner.id]);
    expect(await statusOf(link)).toBe(200);
    const { error } = await owner.supabase.auth.updateUser({ password: 'another long pass phrase' });
    expect(error).toBeNull();
    expect(await statusOf(link)).toBe(404);
  });

  it('continue in a closed practice, where no new link can be made', async () => {
    const owner = await signUp();
    const link = await linkOf(owner);
    const { data } = await owner.supabase.from('practices').select('name').single();
    const { error } = await owner.supabase.rpc('close_practice', { name: (data as { name: string }).name });
    expect(error).toBeNull();
    await within(5_000, async () =>
      expect((await owner.supabase.rpc('create_calendar_link')).error).toMatchObject({ code: 'PM017' }),
    );
    expect(await statusOf(link)).toBe(200);
    expect((await owner.supabase.rpc('revoke_calendar_link', { id: link.id })).error).toBeNull();
    expect(await statusOf(link)).toBe(404);
  });

  it('are limited to twenty for each member', async () => {
    const owner = await signUp();
    const { id } = await linkOf(owner);
    await admin.query(
      `INSERT INTO identity.calendar_links (therapist_id, id, user_id, secret_hash, is_full, created_at)
       SELECT therapist_id, gen_random_uuid(), user_id, secret_hash || n, false, now()
       FROM identity.calendar_links, generate_series(1, 19) AS n WHERE id = $1`,
      [id],
    );
    expect((await owner.supabase.rpc('create_calendar_link')).error).toMatchObject({ code: 'PM018' });
  });
});
