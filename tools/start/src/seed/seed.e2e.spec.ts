import { beforeAll, describe, expect, it } from '@jest/globals';
import { answered, call, eventually, patient } from '@practice/testing';
import { stagesShownBy } from '@practice/operator';
import { runningStack } from '../stack/running-stack.config.js';
import { contentOn } from './content.js';
import { seedDemo } from './seed.js';

const stages: string[] = [];
let token = '';
let login: Awaited<ReturnType<typeof seedDemo>>;

async function read<T>(path: string): Promise<T> {
  const headers = { authorization: `Bearer ${token}` };
  const { json } = await answered(path, () => call(`/rest/v1/${path}`, { headers }));
  return json as T;
}

const countOf = async (resource: string): Promise<number> =>
  (await read<[{ count: number }]>(`${resource}?select=count()`))[0].count;

describe('the demo practice in the running system', () => {
  beforeAll(async () => {
    login = await seedDemo(
      runningStack(),
      stagesShownBy((line) => stages.push(line)),
    );
    const signedIn = await patient(() =>
      call('/auth/v1/token?grant_type=password', { method: 'POST', body: login }),
    );
    token = (signedIn.json as { access_token: string }).access_token;
  });

  it('has every record of its content', async () => {
    const today = new Date().toISOString().slice(0, 10);
    for (const { resource, rows } of contentOn(today)) {
      // Around midnight, the practice may belong to the day before, with a few more or fewer records.
      expect(Math.abs((await countOf(resource)) - rows.length)).toBeLessThan(20);
    }
  });

  it('has a signed note of each month, which is intact', async () => {
    const signed = await read<{ id: string }[]>('sessions?select=id&status=eq.signed');
    expect(signed.length).toBeGreaterThan(5);
    const [{ id } = { id: '' }] = signed;
    expect(await read(`rpc/verify_note?session_id=${id}`)).toMatchObject({ intact: true });
  });

  it('has people in four roles, who sign in with the same password', async () => {
    const people = await read<{ role: string; status: string }[]>(
      'memberships?select=role,status&order=role',
    );
    expect(people).toEqual(
      ['billing', 'front_desk', 'owner', 'therapist'].map((role) => ({ role, status: 'active' })),
    );
    const body = { ...login, email: 'frontdesk@example.com' };
    const signedIn = await patient(() =>
      call('/auth/v1/token?grant_type=password', { method: 'POST', body }),
    );
    expect(signedIn.status).toBe(200);
  });

  it('has a supervised therapist, and two of the notes wait for the second signature', async () => {
    const waiting = await read<[{ count: number }]>(
      'sessions?select=count()&status=eq.signed&needs_cosign_by=not.is.null&cosigned_at=is.null',
    );
    expect(waiting[0].count).toBe(2);
    const done = await read<[{ count: number }]>('sessions?select=count()&cosigned_at=not.is.null');
    expect(done[0].count).toBeGreaterThan(2);
  });

  it('has invoices, and payments for some of them', async () => {
    expect(await countOf('invoices')).toBeGreaterThan(10);
    const [{ count: paid }] = await read<[{ count: number }]>('invoices?select=count()&status=eq.paid');
    expect(paid).toBe(await countOf('payments'));
    expect(paid).toBeGreaterThan(5);
  });

  it('adds nothing the second time', async () => {
    const before = await countOf('appointments');
    await seedDemo(
      runningStack(),
      stagesShownBy((line) => stages.push(line)),
    );
    expect(stages.at(-1)).toContain('there already');
    expect(await countOf('appointments')).toBe(before);
  });

  it('has clients whose visits are their completed appointments', async () => {
    const [{ count: completed }] = await read<[{ count: number }]>(
      'appointments?select=count()&status=eq.completed',
    );
    await eventually('every visit is counted', async () => {
      const [{ sum }] = await read<[{ sum: number }]>('clients?select=total_visits.sum()');
      return sum === completed;
    });
  });
});
