// `npm run bench -- --money`: compares the cost of invoices and of the ledger with a list of 50 payments of the same practice.

import { randomUUID } from 'node:crypto';
import { demand } from '@practice/start';
import { dayOf } from './calendar.js';
import { compareInTurn, type Kinds } from './in-turn.js';
import { atRest } from './rest.js';
import { startOwnStack, type Run } from './run.js';
import { seed } from './seed/seed.js';
import { fullSizes } from './sizes.js';

/** Each payment is two entries of the ledger. */
const full = { payments: 25_000, clients: 200, invoices: 60, items: 10, rounds: 100 };
const quick = { ...full, payments: 2_000, clients: 20, invoices: 10, rounds: 20 };

const BEGINS = Date.UTC(2025, 0, 1);

/** The most payments in a write: each also changes the balance of its client. */
const AT_ONCE = 500;

type Money = typeof full;
type Post = (path: string, body: unknown) => Promise<unknown>;

const LIST = 'payments?order=date.desc&limit=50';
const BALANCES = 'ledger_entries?select=account,debit.sum(),credit.sum()';

export async function money(run: Run): Promise<void> {
  const { flags, stages, signal } = run;
  const sizes = flags.quick ? quick : full;
  const { stack, admin } = await startOwnStack(run);
  const [practice] = await seed(stack, { ...fullSizes, practices: 1, practicesWithRecords: 0 }, signal);
  const owner = { ...stack, token: practice?.token ?? '' };
  const read = (path: string): Promise<unknown> => demand(owner, { method: 'GET', path: `/rest/v1/${path}` });
  const send: Post = (path, body) => demand(owner, `/rest/v1/${path}`, body);
  const { clients, drafts } = await stages.run(`${sizes.payments} payments`, () => fill(send, sizes, signal));
  await atRest(stack.processes, signal);
  await admin.query('VACUUM ANALYZE');
  const past = new Date().toISOString();
  const kinds: Kinds = {
    'list of 50 payments': () => read(LIST),
    'balance of a client': (index) => read(`client_balances?client_id=eq.${clients[index % clients.length]}`),
    'trial balance': () => read(BALANCES),
    'trial balance as of a past time': () => read(`${BALANCES}&as_of=${past}`),
    [`finalize an invoice of ${sizes.items} items`]: (index) =>
      index < drafts.length ? send('rpc/finalize_invoice', { invoice_id: drafts[index] }) : undefined,
  };
  await compareInTurn(run, kinds, { admin, sizes, warmUp: 0, bases: ['list of 50 payments'] });
}

/** Clients with payments, and drafts of invoices. */
async function fill(send: Post, sizes: Money, signal: AbortSignal) {
  const clients = idsOf(sizes.clients);
  await send(
    'clients',
    clients.map((id, index) => ({ id, name: `Client ${index}` })),
  );
  const payment = (index: number): object => ({
    ...{ client_id: clients[index % clients.length], date: dayOf(BEGINS, index % 365), method: 'card' },
    amount: 20 + (index % 90),
  });
  for (let from = 0; from < sizes.payments; from += AT_ONCE) {
    signal.throwIfAborted();
    await send(
      'payments',
      Array.from({ length: AT_ONCE }, (_, index) => payment(from + index)),
    );
  }
  const drafts = idsOf(sizes.invoices);
  await send(
    'invoices',
    drafts.map((id, index) => ({ id, client_id: clients[index % clients.length] })),
  );
  for (const invoice_id of drafts) {
    const item = { invoice_id, description: 'A session', unit_price: 110 };
    await send(
      'invoice_items',
      Array.from({ length: sizes.items }, () => item),
    );
  }
  return { clients, drafts };
}

const idsOf = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
