// Values that the rules of a resource require beyond its definition: a payment is allocated to an open invoice, and an
// addendum is about a signed note.

import { expect } from '@jest/globals';
import { finalizeInvoice, signNote } from '@practice/contracts';
import { make, type Practice, write } from '@practice/testing';

type Ids = Readonly<Record<string, readonly string[]>>;
type Values = Readonly<Record<string, unknown>>;

/** Keys for the ids of further records, in a state that only functions produce. */
const SIGNED = 'signed sessions';
const OPEN = 'open invoices';

interface Row {
  readonly ids: Ids;
  readonly index: number;
  readonly mark: string;
}

const first = (ids: Ids, key: string): string | undefined => ids[key]?.[0];

/** By resource: values that replace the values from the definition. A column with undefined is left out. */
const demanded: Readonly<Record<string, (row: Row) => Values>> = {
  credit_notes: ({ ids }) => ({ invoice_id: first(ids, OPEN), total: 1, date: undefined }),
  fee_rules: () => ({ amount: undefined }),
  invoice_items: () => ({ appointment_id: undefined }),
  measures: () => ({ instrument: 'phq-2', answers: { 1: 0, 2: 1 } }),
  oauth_clients: () => ({ redirect_uris: ['https://app.example/callback'] }),
  note_templates: () => ({ sections: { mood: 'Mood' } }),
  payment_allocations: ({ ids }) => ({ invoice_id: first(ids, OPEN), amount: 1 }),
  payments: ({ mark, index }) => ({ external_id: `${mark} ${index}` }),
  session_addenda: ({ ids }) => ({ session_id: first(ids, SIGNED) }),
  sessions: () => ({ template_id: undefined, sections: undefined }),
};

export const demandedValues = (resource: string, row: Row): Values => demanded[resource]?.(row) ?? {};

/**
 * Makes further records that later resources refer to, once the records of a resource exist.
 * @returns their ids, by key
 */
export async function furtherRecords(practice: Practice, resource: string, ids: Ids): Promise<Ids> {
  const client_id = first(ids, 'clients');
  if (resource === 'sessions') {
    const { id: session_id } = await make(practice, 'sessions', { client_id, subjective: 'signed' });
    await called(practice, signNote.name, { session_id, meaning: 'authorship' });
    return { [SIGNED]: [session_id] };
  }
  if (resource === 'invoices') {
    const { id: invoice_id } = await make(practice, 'invoices', { client_id });
    await make(practice, 'invoice_items', { invoice_id, description: 'session', unit_price: 100 });
    await called(practice, finalizeInvoice.name, { invoice_id });
    return { [OPEN]: [invoice_id] };
  }
  return {};
}

async function called(practice: Practice, name: string, body: object): Promise<void> {
  const { status, text } = await write(practice, `rpc/${name}`, { method: 'POST', body });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
}
