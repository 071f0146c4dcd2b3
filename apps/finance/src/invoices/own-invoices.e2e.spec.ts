// A therapist sees only invoices of the therapist's own appointments, by any kind of request.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, eventually, make, memberOf, newPractice, slot } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { call as rpc, finalize } from '../testing/billing.js';

let owner: Practice;
let therapist: Practice;
let own: string;
let other: string;

beforeAll(async () => {
  owner = await newPractice();
  ({ member: therapist } = await memberOf(owner, 'therapist'));
  const service = await make(owner, 'service_menu', { name: 'Individual', duration: 50, price: 110 });
  [own, other] = [
    await billed({ service, practitioner_id: await userIdOf(therapist) }),
    await billed({ service, practitioner_id: null }),
  ];
});

let index = 0;
async function billed({
  service,
  ...more
}: {
  service: Made;
  practitioner_id: string | null;
}): Promise<string> {
  const client = await make(owner, 'clients', { name: 'Ada' });
  const visit = { ...slot(index++), client_id: client.id, service_id: service.id, status: 'completed' };
  await make(owner, 'appointments', { ...visit, ...more });
  const { json } = await rpc(owner, 'bill_appointments', { client_id: client.id });
  expect(json).toMatchObject([{ items: 1 }]);
  const [{ invoice_id: id }] = json as [{ invoice_id: string }];
  await finalize(owner, { id } as Made);
  return id;
}

async function userIdOf({ token }: Practice): Promise<string> {
  const { json } = await call('/auth/v1/user', { headers: { authorization: `Bearer ${token}` } });
  return (json as { id: string }).id;
}

async function ids(of: Practice, path: string): Promise<string[]> {
  const answer = await of.rest(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return (answer.json as { id: string }[]).map(({ id }) => id);
}

describe('the invoice of an appointment', () => {
  it.each([
    'invoices?select=id&order=id',
    'invoice_items?select=id:invoice_id&order=id',
    'clients?select=...invoices!inner(id)&order=id',
    'invoices?select=id,invoice_items!inner()&order=id',
  ])('is read by its therapist and by the owner: %s', async (path) => {
    const flat = (values: unknown[]) => values.flat().toSorted();
    // The prepared plan of one caller's request is not used for the other caller.
    expect(flat(await ids(therapist, path))).toEqual([own]);
    expect(flat(await ids(owner, path))).toEqual([own, other].toSorted());
    expect(flat(await ids(therapist, path))).toEqual([own]);
  });

  it('is counted and found only for its therapist', async () => {
    expect((await therapist.rest('invoices?select=count()')).json).toEqual([{ count: 1 }]);
    expect((await therapist.rest(`invoices?id=eq.${other}`)).json).toEqual([]);
    const at = new Date().toISOString();
    expect(await ids(therapist, `invoices?select=id&as_of=${at}`)).toEqual([own]);
  });

  it('has no history for a therapist', async () => {
    expect((await therapist.rest('invoices_history')).json).toEqual([]);
    expect((await owner.rest(`invoices_history?id=eq.${own}&select=id`)).json).not.toEqual([]);
  });

  it('is in the feed of the owner, but not in the feed of a therapist', async () => {
    const inFeed = async ({ token }: Practice): Promise<boolean> => {
      const feed = await call('/events/v1/?service=finance&limit=100', {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(feed.status).toBe(200);
      return feed.text.includes(own);
    };
    await eventually('the owner has the event', () => inFeed(owner));
    expect(await inFeed(therapist)).toBe(false);
  });

  it('can be found by its practitioners', async () => {
    const id = await userIdOf(therapist);
    for (const filter of [`cs.{${id}}`, `ov.{${id},${other}}`, `cd.{${id},${other}}`, `eq.{${id}}`])
      expect([filter, await ids(owner, `invoices?practitioner_ids=${filter}`)]).toEqual([filter, [own]]);
    expect((await owner.rest('invoices?practitioner_ids=cs.x')).json).toMatchObject({ code: '22P02' });
  });

  it('gets its practitioners only from the server', async () => {
    const client = await make(owner, 'clients', { name: 'Ada' });
    const forged = { client_id: client.id, practitioner_ids: [await userIdOf(therapist)] };
    const answer = await owner.rest('invoices', { method: 'POST', body: forged });
    expect(answer).toMatchObject({ status: 400, json: { code: '428C9' } });
  });
});
