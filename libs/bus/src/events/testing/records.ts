// Changes of clinical and financial records that together record every one of their event types.

import { expect } from '@jest/globals';
import { make, memberOf, patch, remove, slot, eventually, find } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';

async function rpc(practice: Practice, name: string, body: object): Promise<unknown> {
  const { status, text, json } = await practice.rest(`rpc/${name}`, { method: 'POST', body });
  expect([name, status, status === 200 ? '' : text]).toEqual([name, 200, '']);
  return json;
}

interface Driven {
  readonly record: object;
  readonly changes: object;
}

/** Creates, changes and deletes a record. */
export async function drive(
  practice: Practice,
  resource: string,
  { record, changes }: Driven,
): Promise<void> {
  const { id } = await make(practice, resource, record);
  await patch(practice, resource, { id, ...changes });
  expect((await remove(practice, resource, id)).status).toBe(204);
}

export async function driveClinicalRecords(practice: Practice, { id: client_id }: Made): Promise<void> {
  const signing = { meaning: 'authorship' };
  await drive(practice, 'note_templates', {
    record: { name: 'Intake', sections: { mood: 'Mood' } },
    changes: { name: 'First visit' },
  });
  await drive(practice, 'diagnoses', {
    record: { client_id, code: 'F41.1' },
    changes: { until: '2030-01-07' },
  });
  await drive(practice, 'private_notes', {
    record: { client_id, text: 'a dream' },
    changes: { text: 'two' },
  });
  const calm = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((item) => [item, 0]));
  const measure = await make(practice, 'measures', { client_id, instrument: 'phq-9', answers: calm });
  await patch(practice, 'measures', { id: measure.id, answers: { ...calm, 9: 1 } });
  await patch(practice, 'measures', { id: measure.id, answers: calm });
  expect((await remove(practice, 'measures', measure.id)).status).toBe(204);
  const { member } = await memberOf(practice, 'therapist');
  const note = { client_id, subjective: 'sleeps well', needs_cosign_by: practice.therapistId };
  const { id: session_id } = await make(member, 'sessions', note);
  await rpc(member, 'sign_note', { session_id, ...signing });
  await rpc(practice, 'cosign_note', { session_id });
  await make(member, 'session_addenda', { session_id, text: 'and eats' });
  await rpc(practice, 'void_note', { session_id, reason: 'another client' });
}

/** Creates a draft invoice with one item. */
async function drafted(practice: Practice, client_id: string): Promise<{ invoice_id: string; item: string }> {
  const { id: invoice_id } = await make(practice, 'invoices', { client_id });
  const line = { invoice_id, description: 'A session', unit_price: 100 };
  return { invoice_id, item: (await make(practice, 'invoice_items', line)).id };
}

export async function driveMoney(practice: Practice, client: Made): Promise<void> {
  await drive(practice, 'taxes', { record: { name: 'VAT', rate: 19 }, changes: { rate: 20 } });
  const { id } = await make(practice, 'fee_rules', { kind: 'no_show' });
  await patch(practice, 'fee_rules', { id, status: 'ended' });
  const rule = await make(practice, 'fee_rules', { kind: 'no_show', percent: 50 });
  expect((await remove(practice, 'fee_rules', rule.id)).status).toBe(204);
  await driveInvoices(practice, client);
  const settled = await make(practice, 'clients', { name: 'Cleo' });
  for (const amount of [10, -10])
    await make(practice, 'payments', { client_id: settled.id, date: '2030-01-07', amount, method: 'cash' });
  await drivePackages(practice, client);
  await patch(practice, 'billing_settings', { id: practice.therapistId, payment_days: 30 });
}

/** Drives invoices so that each deletion can be undone later: the invoice that it belongs to does not change afterwards. */
async function driveInvoices(practice: Practice, { id: client_id }: Made): Promise<void> {
  const { invoice_id, item } = await drafted(practice, client_id);
  await patch(practice, 'invoice_items', { id: item, quantity: 2 });
  await patch(practice, 'invoices', { id: invoice_id, memo: 'January' });
  await rpc(practice, 'finalize_invoice', { invoice_id });
  const paid = { client_id, date: '2030-01-07', amount: 200, method: 'cash' };
  await drive(practice, 'payments', { record: paid, changes: { note: 'by hand' } });
  const { id: payment_id } = await make(practice, 'payments', paid);
  const allocated = { payment_id, invoice_id, amount: 50 };
  await drive(practice, 'payment_allocations', { record: allocated, changes: { amount: 200 } });
  const voided = await drafted(practice, client_id);
  await rpc(practice, 'finalize_invoice', { invoice_id: voided.invoice_id });
  for (const status of ['uncollectible', 'open', 'void'])
    await patch(practice, 'invoices', { id: voided.invoice_id, status });
  const corrected = await drafted(practice, client_id);
  await rpc(practice, 'finalize_invoice', { invoice_id: corrected.invoice_id });
  await make(practice, 'credit_notes', { invoice_id: corrected.invoice_id, reason: 'too much', total: 10 });
  const left = await drafted(practice, client_id);
  expect((await remove(practice, 'invoice_items', left.item)).status).toBe(204);
  await drive(practice, 'invoices', { record: { client_id }, changes: { memo: 'none' } });
}

async function drivePackages(practice: Practice, { id: client_id }: Made): Promise<void> {
  const service = await make(practice, 'service_menu', { name: 'Individual', duration: 50, price: 90 });
  const [{ invoice_id }, other] = [await drafted(practice, client_id), await drafted(practice, client_id)];
  const sold = { client_id, service_id: service.id, invoice_id, sessions: 5 };
  await drive(practice, 'packages', {
    record: { ...sold, invoice_id: other.invoice_id },
    changes: { expires_on: '2040-01-01' },
  });
  const { id } = await make(practice, 'packages', sold);
  await rpc(practice, 'finalize_invoice', { invoice_id });
  const used = async (count: number): Promise<boolean> =>
    (await find(practice, 'packages', id))?.['used'] === count;
  const visit = await make(practice, 'appointments', { ...slot(40), client_id, service_id: service.id });
  await patch(practice, 'appointments', { id: visit.id, status: 'completed' });
  await eventually('a session is used', () => used(1));
  await patch(practice, 'appointments', { id: visit.id, status: 'confirmed' });
  await eventually('the session is given back', () => used(0));
}

export async function driveApps(practice: Practice): Promise<void> {
  const app = { name: 'Calendar', redirect_uris: ['https://calendar.example/back'] };
  const { id } = await make(practice, 'oauth_clients', app);
  await patch(practice, 'oauth_clients', { id, name: 'Calendar Sync' });
  await rpc(practice, 'rotate_client_secret', { client_id: id });
  expect((await remove(practice, 'oauth_clients', id)).status).toBe(204);
}
