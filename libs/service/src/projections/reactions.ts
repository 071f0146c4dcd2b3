import { catalog } from '@practice/contracts';
import type { Change, Resource, Row } from '@practice/resource';
import { readRows, selectRows } from '../storage/tables.js';
import type { Transaction } from '../storage/transaction.js';
import type { Decision } from '../write/decision.js';
import type { Intent } from '../write/intent.js';
import { loaded } from '../write/intents.js';
import type { MirrorEntry } from './mirror-table.js';
import type { AnyPolicy } from './projection-parts.js';

/**
 * Decides the reactions of these policies to one change, one policy after another: each sees what those before it did, so
 * several may act on the same record.
 * @returns entries of the mirror whose owners must be asked first; none once all reactions are decided
 */
export async function react(
  transaction: Transaction,
  decision: Decision,
  { change, policies }: { change: Change; policies: readonly AnyPolicy[] },
): Promise<readonly MirrorEntry[]> {
  const concerned = policies.flatMap((policy) => {
    const records = policy.concerns(change);
    const resource = catalog.resources.get(policy.acts) as Resource;
    return records === null ? [] : [{ policy, resource, lookup: { resource: policy.acts, ...records } }];
  });
  if (concerned.length === 0) return [];
  const { therapistId } = transaction.log;
  const found = await transaction.load(
    concerned.map(({ resource, lookup }) => selectRows(resource, therapistId, lookup)),
  );
  for (const [index, { policy, resource, lookup }] of concerned.entries()) {
    const stored = readRows(resource, found[index] ?? []);
    const records = decision.decided.overlay(lookup, stored);
    const intents = reactionsOf(policy, change, records);
    const { unknown } = await loaded(transaction, decision, { resource, intents });
    if (unknown.length > 0) return unknown;
    const unsure = decision.decide(resource, intents);
    if (unsure.length > 0) return unsure;
  }
  return [];
}

function reactionsOf(
  policy: AnyPolicy,
  change: Change,
  records: readonly { readonly row: Row; readonly version: number }[],
): Intent[] {
  const byId = new Map(records.map((record) => [String(record.row['id']), record]));
  const rows = records.map(({ row }) => row);
  return policy.react(change, rows).flatMap(({ id, command }) => {
    const record = byId.get(id);
    return record === undefined ? [] : [{ id, command, state: record.row, version: record.version }];
  });
}
