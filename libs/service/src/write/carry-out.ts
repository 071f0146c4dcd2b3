// What happens within the transaction of a write: look up, decide, store, and answer.

import { catalog } from '@practice/contracts';
import type { Decider } from '@practice/core';
import { checkAffected, compileReturning, entityTag, replyWrite } from '@practice/query';
import type { Reply } from '@practice/query';
import { instant } from '@practice/resource';
import type { Row } from '@practice/resource';
import type { Statement, TextRow } from '@practice/event-store';
import type { Answers } from '../neighbours/neighbours.js';
import type { Transaction } from '../storage/transaction.js';
import { Decision } from './decision.js';
import { rememberAnswer } from './idempotency.js';
import { metadataOf } from './metadata.js';
import { checkPrecondition } from './precondition.js';
import { storedRepresentation } from './representation.js';
import { withKey } from './taken-key.js';
import type { Origin } from './write.command.js';
import type { Wish } from './wish.js';
import { wishesOf } from './wishes.js';
import type { AnyWritePlan } from './wishes.js';

export interface Work {
  readonly plan: AnyWritePlan;
  readonly origin: Origin;
  readonly decider: Decider<Row>;
  readonly answers: Answers;
  /** Filled with the records that it deletes, at their last version. */
  readonly gone: Versions;
}

/** id → version */
export type Versions = Map<string, number>;

/**
 * Carries a write out: in two round trips for a create, two or three for a change, and one more where its answer is kept.
 * @throws {Rejection} when it is refused; {Unanswered} when other services must be asked first
 */
export async function carryOut(transaction: Transaction, work: Work): Promise<Reply> {
  const { plan, origin } = work;
  const decision = decisionOf(work);
  const wishes = await wishesOf(transaction, plan, decision);
  const { ifMatch, repeatable } = origin;
  if (ifMatch !== undefined) await checkPrecondition(transaction, plan, { ifMatch, wishes });
  checkAffected(plan, wishes.length);
  decision.decide(wishes);
  noteGone(work, wishes);
  const decided = { plan, decision, wishes, position: transaction.position };
  const how = plan.isDryRun ? 'ROLLBACK' : 'COMMIT';
  if (repeatable === undefined || plan.isDryRun) {
    return store(decided, (statements) => transaction.end(statements, how));
  }
  const reply = await store(decided, (statements) => transaction.load(statements));
  const { service, therapistId } = transaction.log;
  await transaction.end(rememberAnswer(service, therapistId, { ...repeatable, reply }), how);
  return reply;
}

/** A dry run deletes nothing. */
function noteGone({ plan, gone }: Work, wishes: readonly Wish[]): void {
  if (plan.isDryRun) return;
  for (const { id, command, version } of wishes) if (command.kind === 'delete') gone.set(id, version + 1);
}

function decisionOf({ plan, origin, decider, answers }: Work): Decision {
  const { resource, therapistId } = plan;
  const now = instant(Date.now());
  return new Decision({
    catalog,
    resource,
    decider,
    therapistId,
    now,
    metadata: metadataOf(origin),
    answers,
  });
}

interface Decided {
  readonly plan: AnyWritePlan;
  readonly decision: Decision;
  readonly wishes: readonly Wish[];
  /** The practice's position in the log before it. */
  readonly position: number;
}

/** Stores what was decided; what the caller wants back is read only where it is not what was just stored. */
async function store(
  { plan, decision, wishes, position }: Decided,
  run: (statements: Statement[]) => Promise<TextRow[][]>,
): Promise<Reply> {
  const ids = wishes.map(({ id }) => id);
  const records = decision.records(wishes);
  const stored = storedRepresentation(plan, records);
  const wanted = plan.returning === null || stored !== null ? [] : [compileReturning(plan, ids)];
  const statements = decision.statements(position, wanted);
  const results = await run(statements).catch((error: unknown) => {
    throw withKey(error, plan.resource, records);
  });
  const [read] = wanted.map((statement) => results[statements.indexOf(statement)]?.[0]?.[0] ?? '[]');
  const inserted = wishes.filter(({ command }) => command.kind === 'create').length;
  const reply = replyWrite(plan, { affected: wishes.length, inserted, ids, body: stored ?? read ?? null });
  const version = decision.versionOf(wishes);
  return version === null ? reply : { ...reply, headers: { ...reply.headers, ETag: entityTag(version) } };
}
