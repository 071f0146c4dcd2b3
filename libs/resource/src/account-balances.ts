// Balances of accounts, in one record for each client. The record exists while a balance is not zero, and has the id of the client.

import { amountOf, boundedAmount, reject, unitsOf } from '@practice/core';
import { dependent, lookupThrough, type Command, type DependentCommand } from './decider.js';
import type { Lookup, LookupContext } from './decider.js';
import { differenceOf } from './ledger.js';
import type { AccountBalances } from './definition-parts.js';
import type { Resource } from './resource.js';
import { entries, type Row } from './row.js';
import { lookupOf, recordOf } from './shared-columns.js';
import { signedSum } from './signed-sum.js';
import type { Difference } from './totals.js';
import { newRecord } from './validate.js';

/** The lookups of the balances, by the client. If a new record has no client yet, the client comes from a record that it refers to. */
export function balanceLookups({ columns, ledger }: Resource, record: Row): Lookup[] {
  const [keeper, client] = [ledger?.balances?.in as Resource | undefined, ledger?.client ?? ''];
  if (keeper === undefined) return [];
  if (typeof record[client] === 'string') return lookupOf(keeper.name, record[client]);
  return entries(columns)
    .filter(([, { shares }]) => shares?.includes(client) === true)
    .flatMap(([name, { references }]) => lookupOf(String(references), record[name]))
    .map((parent) => lookupThrough(keeper, 'id', { lookup: parent, column: client }));
}

/**
 * The change of the balances of a client.
 * @throws {Rejection} the problem of a balance that the change would make negative
 */
export function balancesAfter(
  definition: Resource,
  change: Difference,
  context: LookupContext,
): DependentCommand[] {
  const { balances, client = '' } = definition.ledger ?? {};
  if (balances === undefined) return [];
  const difference = differenceOf(definition, change);
  const added = Object.entries(balances.sums).map(
    ([name, accounts]) => [name, signedSum(accounts, (account) => difference.get(account) ?? 0n)] as const,
  );
  if (added.every(([, cents]) => cents === 0n)) return [];
  const record = (change.after ?? change.before) as Row;
  const [keeper, id] = [balances.in as Resource, String(record[client])];
  const known = recordOf(keeper.name, id, context);
  const sums = added.map(([name, more]) => {
    const before = unitsOf(String(known?.[name] ?? amountOf(0n)));
    if (more < 0n && before + more < 0n) checkLeast(balances, name, before);
    return [name, boundedAmount(before + more)] as const;
  });
  if (sums.every(([, sum]) => unitsOf(sum) === 0n)) return [dependent(keeper, id, { kind: 'delete' })];
  const changes = Object.fromEntries(sums);
  const opened = { ...changes, id, [client]: id };
  const terms = { therapistId: String(record['therapist_id']), now: context.now, id: () => id };
  const command: Command =
    known === undefined
      ? { kind: 'create', record: newRecord(keeper, opened, terms) }
      : { kind: 'change', changes };
  return [dependent(keeper, id, command)];
}

/**
 * The part of the amount of a new record that is beyond a balance which must not become negative, in cents. A balance of zero does not
 * count, so that its problem is reported.
 */
export function beyondBalances(definition: Resource, record: Row, context: LookupContext): bigint {
  const { balances, client = '' } = definition.ledger ?? {};
  const difference = differenceOf(definition, { before: null, after: record });
  return Object.keys(balances?.least ?? {}).reduce((most, name) => {
    const known = recordOf(String(balances?.in.name), record[client], context);
    const left = unitsOf(String(known?.[name] ?? amountOf(0n)));
    const after = left + signedSum(balances?.sums[name] ?? [], (account) => difference.get(account) ?? 0n);
    return left > 0n && -after > most ? -after : most;
  }, 0n);
}

function checkLeast({ least }: AccountBalances, name: string, before: bigint): void {
  const problem = least?.[name];
  if (problem !== undefined)
    reject({ ...problem, details: String(problem.details).replace('{}', amountOf(before)) });
}
