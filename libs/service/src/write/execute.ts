// What happens within the transaction of a write: look up, decide, store, and answer.

import { catalog } from '@practice/contracts';
import { checkAffected, compileReturning, entityTag, writeResponse } from '@practice/query';
import type { RestResponse } from '@practice/query';
import { instant } from '@practice/resource';
import type { Decider } from '@practice/resource';
import type { Statement, TextRow } from '@practice/event-store';
import type { FetchedRecords } from '../references/record-owners.js';
import type { Transaction } from '../storage/transaction.js';
import { Decision } from './decision.js';
import { rememberAnswer } from './idempotency.js';
import { metadataOf } from './metadata.js';
import { checkPrecondition } from './precondition.js';
import { storedRepresentation } from './representation.js';
import { withViolatedKey } from './unique-violation.js';
import type { Origin } from './write.command.js';
import type { Intent } from './intent.js';
import { intentsOf } from './intents.js';
import type { AnyWritePlan } from './intents.js';

export interface Work {
  readonly plan: AnyWritePlan;
  readonly origin: Origin;
  readonly decider: Decider;
  readonly answers: FetchedRecords;
  /** Filled with the records that it deletes, at their last version. */
  readonly gone: Versions;
}

/** id → version */
export type Versions = Map<string, number>;

/**
 * Carries a write out: in two round trips for a create, two or three for a change, and one more where its answer is kept.
 * @throws {Rejection} when it is refused; {Unanswered} when other services must be asked first
 */
export async function executeWrite(transaction: Transaction, work: Work): Promise<RestResponse> {
  const { plan, origin } = work;
  const decision = decisionOf(work);
  const intents = await intentsOf(transaction, plan, decision);
  const { ifMatch, repeatable } = origin;
  if (ifMatch !== undefined) await checkPrecondition(transaction, plan, { ifMatch, intents });
  checkAffected(plan, intents.length);
  decision.decide(intents);
  noteGone(work, intents);
  const decided = { plan, decision, intents, position: transaction.position };
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
function noteGone({ plan, gone }: Work, intents: readonly Intent[]): void {
  if (plan.isDryRun) return;
  for (const { id, command, version } of intents) if (command.kind === 'delete') gone.set(id, version + 1);
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
  readonly intents: readonly Intent[];
  /** The practice's position in the log before it. */
  readonly position: number;
}

/** Stores what was decided; what the caller wants back is read only where it is not what was just stored. */
async function store(
  { plan, decision, intents, position }: Decided,
  run: (statements: Statement[]) => Promise<TextRow[][]>,
): Promise<RestResponse> {
  const ids = intents.map(({ id }) => id);
  const records = decision.records(intents);
  const stored = storedRepresentation(plan, records);
  const wanted = plan.returning === null || stored !== null ? [] : [compileReturning(plan, ids)];
  const statements = decision.statements(position, wanted);
  const results = await run(statements).catch((error: unknown) => {
    throw withViolatedKey(error, plan.resource, records);
  });
  const [read] = wanted.map((statement) => results[statements.indexOf(statement)]?.[0]?.[0] ?? '[]');
  const inserted = intents.filter(({ command }) => command.kind === 'create').length;
  const reply = writeResponse(plan, {
    affected: intents.length,
    inserted,
    ids,
    body: stored ?? read ?? null,
  });
  const version = decision.versionOf(intents);
  return version === null ? reply : { ...reply, headers: { ...reply.headers, ETag: entityTag(version) } };
}
