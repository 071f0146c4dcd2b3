// The practitioner of an appointment: a membership of the identity service, found by the user.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '@practice/client-types';
import { invitationToken, make, newPractice, rowsOf, slot, write, type Practice } from '@practice/testing';
import { clientOf } from '../supabase/practice.js';

let practice: Practice;
let left: string;

/** Invites a person. A member who has left and returned has two memberships of one user. */
async function invite(person: Practice, display_name: string): Promise<string> {
  const { id } = await make(practice, 'memberships', {
    email: person.email,
    role: 'therapist',
    display_name,
  });
  const body = { token: await invitationToken(id) };
  expect((await write(person, 'rpc/accept_invitation', { method: 'POST', body })).status).toBe(200);
  return id;
}

beforeAll(async () => {
  practice = await newPractice();
  const [ada, bob] = await Promise.all([newPractice(), newPractice()]);
  left = await invite(ada, 'Ada before');
  const removed = { method: 'PATCH', body: { status: 'removed' } };
  expect((await write(practice, `memberships?id=eq.${left}`, removed)).status).toBe(204);
  await invite(ada, 'Ada');
  await invite(bob, 'Bob');
  for (const [index, practitioner_id] of [bob.therapistId, ada.therapistId, null].entries())
    await make(practice, 'appointments', { ...slot(index), practitioner_id });
});

const read = (query: string): Promise<unknown> => rowsOf(practice, `appointments?${query}`);

describe('the practitioner of an appointment', () => {
  it('is the newest membership of the user, or null', async () => {
    expect(await read('select=practitioner(display_name,status)&order=date,start_time')).toEqual([
      { practitioner: { display_name: 'Bob', status: 'active' } },
      { practitioner: { display_name: 'Ada', status: 'active' } },
      { practitioner: null },
    ]);
  });

  it('filters, orders and groups the appointments', async () => {
    expect(await read('select=practitioner!inner(display_name)&practitioner.display_name=eq.Ada')).toEqual([
      { practitioner: { display_name: 'Ada' } },
    ]);
    // An older membership does not count, even if it matches the filter.
    expect(await read('select=practitioner!inner(id)&practitioner.status=eq.removed')).toEqual([]);
    expect(
      await read('select=...practitioner(display_name)&order=practitioner(display_name).desc.nullslast'),
    ).toEqual([{ display_name: 'Bob' }, { display_name: 'Ada' }, { display_name: null }]);
    expect(
      await read('select=...practitioner(display_name),count()&order=practitioner(display_name)'),
    ).toEqual([
      { display_name: 'Ada', count: 1 },
      { display_name: 'Bob', count: 1 },
      { display_name: null, count: 1 },
    ]);
  });

  it('is typed for supabase-js, also by its table', async () => {
    const { data } = await (clientOf(practice) as SupabaseClient<Database>)
      .from('appointments')
      .select('practitioner(display_name), member:memberships(role)')
      .not('practitioner_id', 'is', null)
      .order('start_time');
    const names = data?.map(({ practitioner, member }) => [practitioner?.display_name, member?.role]);
    expect(names).toEqual(
      expect.arrayContaining([
        ['Bob', 'therapist'],
        ['Ada', 'therapist'],
      ]),
    );
  });

  it('is not embedded in the other direction', async () => {
    expect((await practice.rest('memberships?select=appointments(id)')).status).toBe(400);
  });
});

describe('the practitioner of a series', () => {
  it('is embedded too', async () => {
    const answer = await practice.rest('appointment_series?select=id,practitioner(display_name)');
    expect([answer.status, answer.json]).toEqual([200, []]);
  });
});
