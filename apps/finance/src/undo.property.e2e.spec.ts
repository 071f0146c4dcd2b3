// Random commands to the money of one practice. Before the next command, each is undone, and its undo is undone.

import { describe, expect, it } from '@jest/globals';
import { make, newPractice, rowsOf, write, type Answer, type Made, type Practice } from '@practice/testing';
import fc from 'fast-check';
import { call, trialBalance } from './testing/billing.js';

const resources = [
  ...['invoices', 'invoice_items', 'payments', 'payment_allocations', 'credit_notes', 'client_balances'],
  ...['billing_settings', 'packages'],
];

/** All records without the time of their last change, and the balances of the accounts. */
async function stateOf(practice: Practice): Promise<object> {
  const found = await Promise.all(
    resources.map(async (name) => {
      const rows = await rowsOf(practice, `${name}?order=id`);
      return [name, rows.map((row) => ({ ...row, updated_at: null, created_at: null }))] as const;
    }),
  );
  const balances = Object.entries(await trialBalance(practice)).filter(([, balance]) => balance !== 0);
  return { ...Object.fromEntries(found), balances };
}

interface Step {
  readonly kind: number;
  readonly pick: number;
  readonly amount: number;
}

type Command = (practice: Practice, client: Made, step: Step) => Promise<Answer>;

/** A random record of a resource; an id that no record has if the resource is empty. */
async function one(practice: Practice, resource: string, { pick }: Step): Promise<Made> {
  const rows = await rowsOf(practice, `${resource}?select=id&order=id`);
  return rows[pick % Math.max(rows.length, 1)] ?? ({ id: '018f0000-0000-7000-8000-000000000000' } as Made);
}

const change =
  (resource: string, body: (amount: number) => object): Command =>
  async (practice, _, step) =>
    write(practice, `${resource}?id=eq.${(await one(practice, resource, step)).id}`, {
      method: 'PATCH',
      body: body(step.amount),
    });

const remove =
  (resource: string): Command =>
  async (practice, _, step) =>
    write(practice, `${resource}?id=eq.${(await one(practice, resource, step)).id}`, { method: 'DELETE' });

const create =
  (
    resource: string,
    body: (of: { invoice_id: string; payment_id: string; client_id: string; amount: number }) => object,
  ): Command =>
  async (practice, client, step) => {
    const [invoice, payment] = await Promise.all(
      ['invoices', 'payments'].map((name) => one(practice, name, step)),
    );
    const of = { invoice_id: String(invoice?.id), payment_id: String(payment?.id), client_id: client.id };
    return write(practice, resource, { method: 'POST', body: body({ ...of, amount: step.amount }) });
  };

const item = create('invoice_items', ({ invoice_id, amount }) => ({
  ...{ invoice_id, description: 'x', unit_price: amount },
}));
const finalize: Command = async (practice, _, step) =>
  call(practice, 'finalize_invoice', { invoice_id: (await one(practice, 'invoices', step)).id });
const payment = create('payments', ({ client_id, amount }) => ({
  ...{ client_id, date: '2026-03-01', amount, method: 'cash' },
}));
const allocation = create('payment_allocations', ({ invoice_id, payment_id }) => ({
  invoice_id,
  payment_id,
}));

/** Chooses a tax for an item, or none. */
const tax: Command = async (practice, client, step) => {
  const { id } = await one(practice, 'taxes', { ...step, pick: step.amount });
  const tax_id = step.amount % 3 === 0 ? null : id;
  return change('invoice_items', () => ({ tax_id }))(practice, client, step);
};

const fromCredit = create('payment_allocations', ({ invoice_id }) => ({ invoice_id }));

const commands: readonly Command[] = [
  ...[
    create('invoices', ({ client_id }) => ({ client_id })),
    item,
    item,
    finalize,
    finalize,
    payment,
    payment,
  ],
  ...[
    allocation,
    allocation,
    fromCredit,
    change('payment_allocations', (amount) => ({ amount })),
    remove('payment_allocations'),
  ],
  create('credit_notes', ({ invoice_id, amount }) => ({ invoice_id, reason: 'x', total: amount / 2 })),
  ...['void', 'uncollectible', 'open'].map((status) => change('invoices', () => ({ status }))),
  ...[change('invoice_items', (amount) => ({ unit_price: amount })), remove('invoice_items')],
  ...[remove('payments'), remove('invoices'), change('billing_settings', () => ({ invoice_prefix: 'R' }))],
  ...[tax, tax],
];

const steps = fc.array(
  fc.record({
    kind: fc.nat(commands.length - 1),
    pick: fc.nat(9),
    amount: fc.integer({ min: 1, max: 90 }),
  }),
  { minLength: 25, maxLength: 25 },
);

describe('after any commands to money', () => {
  it('an undo restores the state before and its undo the state after, unless a final record refuses the undo', async () => {
    const property = fc.asyncProperty(steps, async (sequence) => {
      const practice = await newPractice();
      const client = await make(practice, 'clients', { name: 'Ada' });
      for (const rate of [7, 19]) await make(practice, 'taxes', { name: 'VAT', rate });
      for (const kind of [0, 1, 3, 5])
        await commands[kind]?.(practice, client, { kind, pick: 0, amount: 60 });
      let before = await stateOf(practice);
      for (const step of sequence) {
        const answer = await (commands[step.kind] as Command)(practice, client, step);
        expect(answer.status).toBeLessThan(500);
        const after = await stateOf(practice);
        const change_id = answer.headers.get('change-id');
        if (change_id === null) expect(after).toEqual(before);
        else await undone(practice, change_id, { before, after });
        before = after;
      }
    });
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
  });
});

async function undone(practice: Practice, change_id: string, states: { before: object; after: object }) {
  const undo = await call(practice, 'undo', { change_id });
  if (undo.status === 409) return expect(await stateOf(practice)).toEqual(states.after);
  expect([undo.status, undo.status === 200 ? '' : undo.text]).toEqual([200, '']);
  expect(await stateOf(practice)).toEqual(states.before);
  const again = await call(practice, 'undo', { change_id: undo.headers.get('change-id') });
  expect([again.status, again.status === 200 ? '' : again.text]).toEqual([200, '']);
  expect(await stateOf(practice)).toEqual(states.after);
}
