// The records of a write, each as an intent, with the lookups that deciding them needs.

import { compileTargets } from '@practice/query';
import type { DeletePlan, InsertPlan, UpdatePlan, UpsertPlan, WritePlan } from '@practice/query';
import type { Statement, TextRow } from '@practice/event-store';
import { checkedValues } from '@practice/resource';
import type { Resource } from '@practice/resource';
import type { MirrorEntry } from '../projections/mirror-table.js';
import { readRows } from '../storage/tables.js';
import type { Transaction } from '../storage/transaction.js';
import { creations, existingRecords } from './creations.js';
import type { Decision } from './decision.js';
import { upserts } from './upserts.js';
import { changeOf, deletionOf, forRecord } from './intent.js';
import type { Intent } from './intent.js';

/** Any plan of a write. */
export type AnyWritePlan = WritePlan | UpsertPlan;

/** The start of a write: statements that run together with the practice's lock, and the intents that follow from their answers. */
export interface Opening {
  readonly statements: readonly Statement[];
  complete(answers: readonly TextRow[][], transaction: Transaction): Promise<Opened>;
}

export interface Opened {
  readonly intents: readonly Intent[];
  /** Entries of the mirror whose owners must be asked before the intents can be decided. */
  readonly unknown: readonly MirrorEntry[];
}

export function openingOf(plan: AnyWritePlan, decision: Decision): Opening {
  switch (plan.kind) {
    case 'insert':
      return create(plan, decision);
    case 'upsert':
      return upsert(plan, decision);
    case 'update':
    case 'delete':
      return change(plan, decision);
  }
}

/** One round trip: the lookups of new records follow from the body. */
function create(plan: InsertPlan, decision: Decision): Opening {
  const { resource, therapistId } = plan;
  const { intents, givenIds } = creations(plan, decision.input.now);
  const lookups = decision.lookups(resource, intents);
  const existing = existingRecords(resource, therapistId, givenIds);
  return {
    statements: [...existing.statements, ...decision.statementsFor(lookups)],
    complete: (answers) => {
      const unknown = decision.load(lookups, answers.slice(existing.statements.length));
      return Promise.resolve({ intents: existing.continued(intents, answers), unknown });
    },
  };
}

/** The lookups of a change follow from the records that it hits. Most changes need no other rows. */
function change(plan: UpdatePlan | DeletePlan, decision: Decision): Opening {
  const { resource, therapistId } = plan;
  return {
    statements: [compileTargets(plan)],
    complete: ([rows = []], transaction) => {
      const targets = readRows(resource, rows);
      // As in PostgREST, values that no record takes are not checked.
      const values =
        plan.kind === 'update' && targets.length > 0
          ? checkedValues(resource, plan.changes, therapistId)
          : null;
      const intents = targets.map((target, index) =>
        values === null
          ? deletionOf(target)
          : forRecord(index, targets.length, () => changeOf(resource, values, target)),
      );
      return loaded(transaction, decision, { resource, intents });
    },
  };
}

function upsert(plan: UpsertPlan, decision: Decision): Opening {
  const { resource } = plan;
  const { statements, intentsOf } = upserts(plan, decision.input.now);
  return {
    statements,
    complete: (answers, transaction) =>
      loaded(transaction, decision, { resource, intents: intentsOf(answers) }),
  };
}

/** Loads the rows that deciding the intents needs. */
export async function loaded(
  transaction: Transaction,
  decision: Decision,
  { resource, intents }: { resource: Resource; intents: readonly Intent[] },
): Promise<Opened> {
  const lookups = decision.lookups(resource, intents);
  if (lookups.length === 0) return { intents, unknown: [] };
  const answers = await transaction.load(decision.statementsFor(lookups));
  return { intents, unknown: decision.load(lookups, answers) };
}
