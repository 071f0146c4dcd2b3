// The records a write is about, each as a intent, with everything looked up that deciding them takes.

import { compileTargets } from '@practice/query';
import type { DeletePlan, InsertPlan, UpdatePlan, UpsertPlan, WritePlan } from '@practice/query';
import { checkedValues } from '@practice/resource';
import { readRows } from '../storage/tables.js';
import type { Transaction } from '../storage/transaction.js';
import { creations, existingRecords } from './creations.js';
import type { Decision } from './decision.js';
import { upserts } from './upserts.js';
import { changeOf, deletionOf, forRecord } from './intent.js';
import type { Intent } from './intent.js';

/** Whatever a write may be planned as. */
export type AnyWritePlan = WritePlan | UpsertPlan;

/** Begins the transaction, which locks the practice, and loads what the decision will look at. */
export function intentsOf(
  transaction: Transaction,
  plan: AnyWritePlan,
  decision: Decision,
): Promise<Intent[]> {
  switch (plan.kind) {
    case 'insert':
      return create(transaction, plan, decision);
    case 'upsert':
      return upsert(transaction, plan, decision);
    case 'update':
    case 'delete':
      return change(transaction, plan, decision);
  }
}

/** One round trip: what the rules and references of new records will look at is known from the body. */
async function create(transaction: Transaction, plan: InsertPlan, decision: Decision): Promise<Intent[]> {
  const { intents, givenIds } = creations(plan, decision.input.now);
  const lookups = decision.lookups(intents);
  const existing = existingRecords(plan.resource, plan.therapistId, givenIds);
  const answers = await transaction.begin([...existing.statements, ...decision.statementsFor(lookups)]);
  decision.load(lookups, answers.slice(existing.statements.length));
  return existing.continued(intents, answers);
}

/** What a change will look at is known only from the records it hits; most changes look at nothing else. */
async function change(
  transaction: Transaction,
  plan: UpdatePlan | DeletePlan,
  decision: Decision,
): Promise<Intent[]> {
  const { resource, therapistId } = plan;
  const values = plan.kind === 'update' ? checkedValues(resource, plan.changes, therapistId) : null;
  const [rows = []] = await transaction.begin([compileTargets(plan)]);
  const targets = readRows(resource, rows);
  const intents = targets.map((target, index) =>
    values === null
      ? deletionOf(target)
      : forRecord(index, targets.length, () => changeOf(resource, values, target)),
  );
  await loadFor(transaction, decision, intents);
  return intents;
}

async function upsert(transaction: Transaction, plan: UpsertPlan, decision: Decision): Promise<Intent[]> {
  const intents = await upserts(transaction, plan, decision.input.now);
  await loadFor(transaction, decision, intents);
  return intents;
}

async function loadFor(
  transaction: Transaction,
  decision: Decision,
  intents: readonly Intent[],
): Promise<void> {
  const lookups = decision.lookups(intents);
  if (lookups.length > 0) decision.load(lookups, await transaction.load(decision.statementsFor(lookups)));
}
