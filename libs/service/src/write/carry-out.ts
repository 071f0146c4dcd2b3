// What happens within the transaction of a write: look up, decide, store, and answer.

import { catalog } from '@practice/contracts';
import type { Decider } from '@practice/core';
import { checkAffected, compileReturning, entityTag, replyWrite } from '@practice/query';
import type { Reply } from '@practice/query';
import { instant } from '@practice/resource';
import type { Row } from '@practice/resource';
import type { Answers } from '../neighbours/neighbours.js';
import type { Transaction } from '../storage/transaction.js';
import { Decision } from './decision.js';
import { rememberAnswer } from './idempotency.js';
import type { Repeatable } from './idempotency.js';
import { metadataOf } from './metadata.js';
import { checkPrecondition } from './precondition.js';
import { storedRepresentation } from './representation.js';
import { withKey } from './taken-key.js';
import type { Origin } from './write.command.js';
import { wishesOf } from './wishes.js';
import type { AnyWritePlan } from './wishes.js';

export interface Work {
  readonly plan: AnyWritePlan;
  readonly origin: Origin;
  readonly decider: Decider<Row>;
  readonly answers: Answers;
}

/**
 * Carries a write out: in two round trips for a create, two or three for a change, and one more where its answer is kept.
 * @throws {Rejection} when it is refused; {Unanswered} when other services must be asked first
 */
export async function carryOut(
  transaction: Transaction,
  { plan, origin, decider, answers }: Work,
): Promise<Reply> {
  const { resource, therapistId } = plan;
  const now = instant(Date.now());
  const decision = new Decision({
    catalog,
    resource,
    decider,
    therapistId,
    now,
    metadata: metadataOf(origin),
    answers,
  });
  const wishes = await wishesOf(transaction, plan, decision);
  if (origin.ifMatch !== undefined)
    await checkPrecondition(transaction, plan, { ifMatch: origin.ifMatch, wishes });
  checkAffected(plan, wishes.length);
  decision.decide(wishes);
  const ids = wishes.map(({ id }) => id);
  const records = decision.records(wishes);
  const stored = storedRepresentation(plan, records);
  const wanted = plan.returning === null || stored !== null ? [] : [compileReturning(plan, ids)];
  const statements = decision.statements(transaction.position, wanted);
  const how = plan.isDryRun ? 'ROLLBACK' : 'COMMIT';
  const isKept = origin.repeatable !== undefined && !plan.isDryRun;
  const storing = isKept ? transaction.load(statements) : transaction.end(statements, how);
  const results = await storing.catch((error: unknown) => {
    throw withKey(error, resource, records);
  });
  const [read] = wanted.map((statement) => results[statements.indexOf(statement)]?.[0]?.[0] ?? '[]');
  const inserted = wishes.filter(({ command }) => command.kind === 'create').length;
  const answer = replyWrite(plan, { affected: wishes.length, inserted, ids, body: stored ?? read ?? null });
  const version = decision.versionOf(wishes);
  const reply =
    version === null ? answer : { ...answer, headers: { ...answer.headers, ETag: entityTag(version) } };
  if (isKept) await transaction.end(kept(transaction, origin.repeatable, reply), how);
  return reply;
}

const kept = ({ log }: Transaction, repeatable: Repeatable, reply: Reply) =>
  rememberAnswer(log.service, log.therapistId, { ...repeatable, reply });
