import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { make, makeAll, newPractice, ownStack, type OwnStack, type Practice } from '@practice/testing';

const COUNT = 200;

/** This spec has its own stack: requests of other specs would be lost with the processes that are killed here. */
let own: OwnStack;
let origin: string;
beforeAll(async () => {
  own = await ownStack();
  const [gateway] = await Promise.all(
    ['gateway', 'identity', 'clients', 'finance'].map((service) => own.start(service)),
  );
  origin = gateway?.origin ?? '';
});
afterAll(() => own.stop());

/** Makes drafts with one item each. */
async function drafts(practice: Practice): Promise<string[]> {
  const { id: client_id } = await make(practice, 'clients', { name: 'Ada' });
  const ids = Array.from({ length: COUNT }, () => randomUUID());
  const invoices = ids.map((id) => ({ id, client_id }));
  const items = ids.map((invoice_id) => ({ invoice_id, description: 'A session', unit_price: 110 }));
  for (const [resource, body] of [
    ['invoices', invoices],
    ['invoice_items', items],
  ] as const)
    await makeAll(practice, resource, body);
  return ids;
}

/** Finalizes an invoice, and repeats the request until it has a response. */
async function finalized(practice: Practice, invoice_id: string): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  for (;;) {
    const call = { method: 'POST', body: { invoice_id }, headers };
    const { status, json } = await practice.rest('rpc/finalize_invoice', call);
    if (status === 200) return (json as { number: string }).number;
    // A process was killed, or the first request is still running.
    expect([status, (json as { code: string }).code]).toEqual(
      status === 409 ? [409, 'PM005'] : [expect.any(Number), expect.stringMatching(/^PM50[34]$/)],
    );
  }
}

it('200 parallel finalizations get the numbers 1 to 200, although processes are killed meanwhile', async () => {
  const practice = await newPractice(origin);
  const ids = await drafts(practice);
  const victims = await Promise.all([own.start('finance'), own.start('finance')]);
  let answered = 0;
  const numbers = await Promise.all(
    ids.map(async (id) => {
      const number = await finalized(practice, id);
      answered += 1;
      const victim = answered % 50 === 25 ? victims.shift() : undefined;
      if (victim !== undefined) process.kill(victim.pid, 'SIGKILL');
      return number;
    }),
  );
  expect(victims).toEqual([]);
  const expected = Array.from({ length: COUNT }, (_, index) => `INV-${String(index + 1).padStart(5, '0')}`);
  expect(numbers.toSorted()).toEqual(expected);
  const read = await practice.rest('invoices?select=number&order=number');
  expect((read.json as { number: string }[]).map(({ number }) => number)).toEqual(expected);
});
