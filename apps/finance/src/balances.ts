// The balance of a client follows every record that is booked on the client's accounts.

import { clientBalances } from '@practice/contracts';
import { amountOf, isNegative, isZero, minus, plus, problemFor, reject } from '@practice/core';
import {
  deciderOf,
  dependent,
  differenceOf,
  entries,
  lookup,
  lookupOf,
  lookupThrough,
  newRecord,
} from '@practice/resource';
import type { Command, Decider, DependentCommand, Lookup, LookupContext } from '@practice/resource';
import type { RecordRules, Resource, Row } from '@practice/resource';

/** The decider of records that are booked on the accounts of the client in `client_id`. */
export const booked = <D extends Resource>(definition: D, rules: RecordRules<D>): Decider<D> =>
  deciderOf(definition, {
    ...rules,
    derives: true,
    lookups: (next, command) => [
      ...(rules.lookups?.(next, command) ?? []),
      ...balanceLookups(definition, next as Row),
    ],
    dependents: (commanded, context) => [
      ...(rules.dependents?.(commanded, context) ?? []),
      ...balanceAfter(definition, commanded as unknown as Change, context),
    ],
  });

/** By the client; a new record may not have it yet, but a record that it refers to has. */
function balanceLookups({ columns }: Resource, { client_id: client, ...record }: Row): Lookup[] {
  if (typeof client === 'string') return [lookup(clientBalances, 'id', [client])];
  return entries(columns)
    .filter(([, { shares }]) => shares !== undefined)
    .flatMap(([name, { references }]) => lookupOf(String(references), record[name]))
    .map((parent) => lookupThrough(clientBalances, 'id', { lookup: parent, column: 'client_id' }));
}

interface Change {
  readonly before: Row | null;
  readonly after: Row | null;
}

/**
 * The change of the client's balance. A client without debt and credit has no record. So a client whose invoices and payments were
 * taken back can be deleted.
 * @throws {Rejection} PM022 when it would take more credit than the client has
 */
function balanceAfter(definition: Resource, change: Change, context: LookupContext): DependentCommand[] {
  const difference = differenceOf(definition, change);
  const on = (account: string): bigint => difference.get(account) ?? 0n;
  const [debits, credits] = [on('accounts_receivable'), -on('prepaid')];
  if (debits === 0n && credits === 0n) return [];
  const record = (change.after ?? change.before) as Row;
  const id = String(record['client_id']);
  const [known] = context.rows(clientBalances, 'id', id);
  const before = known ?? { receivable: '0.00', credit: '0.00' };
  const receivable = plus(before.receivable, amountOf(debits));
  const credit = plus(before.credit, amountOf(credits));
  if (credits < 0n && isNegative(credit)) reject(tooLittleCredit(before.credit));
  const balance = { receivable, credit, balance: minus(receivable, credit) };
  if (isZero(receivable) && isZero(credit)) return [dependent(clientBalances, id, { kind: 'delete' })];
  const command =
    known === undefined ? opening(record, balance, context) : { kind: 'change', changes: balance };
  return [dependent(clientBalances, id, command as Command<typeof clientBalances>)];
}

function opening({ client_id: id, therapist_id: practice }: Row, balance: Row, { now }: LookupContext) {
  const terms = { therapistId: String(practice), now, id: () => String(id) };
  return { kind: 'create', record: newRecord(clientBalances, { ...balance, id, client_id: id }, terms) };
}

const tooLittleCredit = (credit: string) =>
  problemFor('PM022', {
    message: 'the client has less credit',
    details: `Payments that pay no invoice yet: ${credit}.`,
  });
