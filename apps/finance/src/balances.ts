// The balance of a client follows every record that is booked on the client's accounts.

import { clientBalances, type ClientBalance } from '@practice/contracts';
import { amountOf, problemFor, reject } from '@practice/core';
import { dependent, differenceOf, lookup, lookupThrough, newRecord } from '@practice/resource';
import type { DependentCommand, Lookup, LookupContext, Resource, Row } from '@practice/resource';
import { isNegative, isZero, minus, plus } from './money.js';

/** The balance of the client of a record that another lookup finds. */
export const balanceThrough = (of: Lookup): Lookup =>
  lookupThrough(clientBalances, 'id', { lookup: of, column: 'client_id' });

export const balanceLookup = (clientId: string): Lookup => lookup(clientBalances, 'id', [clientId]);

/** A record with the client whose accounts it is booked on. */
interface Client {
  readonly client_id: string;
  readonly therapist_id: string;
}

type Balance = Pick<ClientBalance, 'receivable' | 'credit' | 'balance'>;

/** A record that is booked, before and after a command. */
interface Booked {
  readonly resource: Resource;
  readonly before: Client | null;
  readonly after: Client | null;
}

/** In cents. */
interface Differences {
  readonly debits: bigint;
  readonly credits: bigint;
}

/**
 * The change of the client's balance.
 * @throws {Rejection} PM022 when it would take more credit than the client has
 */
export function balanceAfter(
  { resource, before, after }: Booked,
  context: LookupContext,
): DependentCommand[] {
  const rows = { before: before as Row | null, after: after as Row | null };
  const { debits, credits } = differencesOf(resource, rows);
  const record = after ?? before;
  if (record === null || (debits === 0n && credits === 0n)) return [];
  const [known] = context.rows(clientBalances, 'id', record.client_id);
  const balance = balanceOf(known, { debits, credits });
  if (credits < 0n && isNegative(balance.credit)) reject(tooLittleCredit(known?.credit ?? '0.00'));
  return [
    dependent(
      clientBalances,
      record.client_id,
      commandOf(balance, known, () => opened(record, balance, context.now)),
    ),
  ];
}

/** A client without debt and credit has no record. So a client whose invoices and payments were taken back can be deleted. */
function commandOf(
  balance: Balance,
  known: ClientBalance | undefined,
  open: () => ClientBalance,
): DependentCommand['command'] {
  if (isZero(balance.receivable) && isZero(balance.credit)) return { kind: 'delete' };
  return known === undefined ? { kind: 'create', record: open() } : { kind: 'change', changes: balance };
}

function opened(
  { client_id: id, therapist_id: therapistId }: Client,
  balance: Balance,
  now: string,
): ClientBalance {
  const terms = { therapistId, now, id: () => id };
  return newRecord(clientBalances, { ...balance, id, client_id: id }, terms) as unknown as ClientBalance;
}

/** The difference on the accounts of a client. */
function differencesOf(
  resource: Resource,
  rows: { readonly before: Row | null; readonly after: Row | null },
): Differences {
  const difference = differenceOf(resource, rows);
  return {
    debits: difference.get('accounts_receivable') ?? 0n,
    credits: -(difference.get('prepaid') ?? 0n),
  };
}

function balanceOf(known: ClientBalance | undefined, { debits, credits }: Differences): Balance {
  const receivable = plus(known?.receivable ?? '0.00', amountOf(debits));
  const credit = plus(known?.credit ?? '0.00', amountOf(credits));
  return { receivable, credit, balance: minus(receivable, credit) };
}

const tooLittleCredit = (credit: string) =>
  problemFor('PM022', {
    message: 'the client has less credit',
    details: `Payments that pay no invoice yet: ${credit}.`,
  });
