// The end of a month with supabase-js: bills the completed appointments, finalizes the invoices, takes payments, and prints the trial
// balance as of the last entry of the month. Needs a running system (npm start).
//   node examples/month-end.mjs            with Node 22 or newer
//   NODE_OPTIONS=--experimental-websocket node examples/month-end.mjs      with Node 20
// The URL and the key of the API come from BASE_URL and API_KEY, or from run.json in DATA_DIR (.data).
import { createClient } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import { apikey, baseUrl } from './api.mjs';

const supabase = createClient(baseUrl, apikey());
const MONTH = { from: '2026-01-01', to: '2026-01-31' };

const signedUp = await supabase.auth.signUp({
  email: `month-end-${randomUUID()}@example.com`,
  password: 'a long pass phrase',
});
if (signedUp.error) throw signedUp.error;

/** Creates a record. */
const insert = async (table, record) =>
  (await supabase.from(table).insert(record).select().single().throwOnError()).data;
const call = async (name, args) => (await supabase.rpc(name, args).throwOnError()).data;

// A month of appointments: two clients, three sessions.
const service = await insert('service_menu', { name: 'Individual therapy', duration: 50, price: 110 });
const [ada, bo] = [await insert('clients', { name: 'Ada' }), await insert('clients', { name: 'Bo' })];
for (const [date, client] of [
  ['2026-01-12', ada],
  ['2026-01-19', ada],
  ['2026-01-20', bo],
])
  await insert('appointments', {
    ...{ date, start_time: '09:00', client_id: client.id, service_id: service.id, status: 'completed' },
  });
await insert('expenses', { date: '2026-01-02', amount: 150, category: 'rent' });

// Every client with completed appointments gets a draft. Finalizing it gives it a number.
for (const { invoice_id } of await call('bill_appointments', MONTH)) {
  const invoice = await call('finalize_invoice', { invoice_id, issued_on: MONTH.to });
  console.log(`invoice ${invoice.number}: ${invoice.total}, due ${invoice.due_on}`);
}

// Ada pays.
const { data: due } = await supabase
  .from('invoices')
  .select('id, amount_due')
  .eq('client_id', ada.id)
  .single()
  .throwOnError();
const payment = await insert('payments', {
  ...{ client_id: ada.id, date: MONTH.to, amount: due.amount_due, method: 'transfer', external_id: 'bank-1' },
});
await insert('payment_allocations', { payment_id: payment.id, invoice_id: due.id });

const { data: last } = await supabase
  .from('ledger_entries')
  .select('at')
  .order('position', { ascending: false })
  .limit(1)
  .single()
  .throwOnError();

// In February, Bo's invoice becomes uncollectible. The trial balance of January stays the same.
await supabase.from('invoices').update({ status: 'uncollectible' }).eq('client_id', bo.id).throwOnError();
const { data: balance } = await supabase
  .from('ledger_entries')
  .select('account, debit:debit.sum(), credit:credit.sum()')
  .order('account')
  .setHeader('Prefer', `as-of="${last.at}"`)
  .throwOnError();
console.log('trial balance of January');
for (const { account, debit, credit } of balance) console.log(`${account} ${debit} ${credit}`);
await supabase.auth.signOut();
