// The transaction of a caller's write: look up, decide, store, respond.

import { catalog } from '@practice/contracts';
import {
  checkAffected,
  checkReturned,
  compileReturning,
  entityTag,
  filtersReturned,
  writeResponse,
} from '@practice/query';
import type { RestResponse } from '@practice/query';
import { instant } from '@practice/resource';
import type { Statement, TextRow } from '@practice/event-store';
import { markedKeys, removeMarks } from '../references/deletion-marks.js';
import type { Transaction } from '../storage/transaction.js';
import { confirmDeletions } from './confirm-deletions.js';
import type { Deciders } from './deciders.js';
import { Decision } from './decision.js';
import { rememberAnswer, replayOf, selectAnswer } from './idempotency.js';
import type { Intent } from './intent.js';
import { openingOf } from './intents.js';
import type { AnyWritePlan } from './intents.js';
import { metadataOf } from './metadata.js';
import { checkPreconditions } from './precondition.js';
import { storedRepresentation } from './representation.js';
import { withViolatedKey } from './unique-violation.js';
import type { Outcome, RemoteKnowledge } from './unit-of-work.js';
import type { Origin } from './write.command.js';

export interface Work {
  readonly plan: AnyWritePlan;
  readonly origin: Origin;
  readonly deciders: Deciders;
}

/**
 * Executes a write: two round trips for a create, two or three for a change, and one more if its answer is kept.
 * @throws {Rejection} when it is refused
 */
export async function executeWrite(
  transaction: Transaction,
  work: Work,
  known: RemoteKnowledge,
): Promise<Outcome<RestResponse>> {
  const { plan, origin } = work;
  const decision = decisionOf(transaction, work, known);
  const opening = openingOf(plan, decision);
  const { kept, marks, rest } = await begin(transaction, { ...work, opening: opening.statements }, known);
  const replay = replayOf(origin.repeatable, kept);
  if (replay !== null) return { kind: 'done', value: replay };
  const { intents, unknown } = await opening.complete(rest, transaction);
  if (unknown.length > 0) return { kind: 'unknown records', entries: unknown };
  await checkPreconditions(transaction, plan, { ifMatch: origin.ifMatch, intents });
  checkAffected(plan, intents.length);
  const unsure = decision.decide(plan.resource, intents);
  if (unsure.length > 0) return { kind: 'unknown records', entries: unsure };
  const marked = markedKeys(marks);
  const { isDryRun } = plan;
  const asking = { attempt: known.attempt, marked, isDryRun };
  const unconfirmed = await confirmDeletions(transaction, decision.deletions, asking);
  return unconfirmed ?? { kind: 'done', value: await finish(transaction, work, { decision, intents }) };
}

function decisionOf(
  { log }: Transaction,
  { origin, deciders }: Work,
  { fetched }: RemoteKnowledge,
): Decision {
  const now = instant(Date.now());
  return new Decision({ catalog, log, deciders, now, metadata: metadataOf(origin), fetched });
}

/** Reads the stored response and the attempt's marks together with the rows that the write needs. */
async function begin(
  transaction: Transaction,
  { origin: { repeatable }, opening }: Work & { opening: readonly Statement[] },
  { attempt: { token } }: RemoteKnowledge,
): Promise<{ kept: TextRow[]; marks: TextRow[]; rest: TextRow[][] }> {
  const keeping = repeatable === undefined ? [] : [selectAnswer(transaction.log, repeatable)];
  const marking = token === null ? [] : [removeMarks(transaction.log, [token])];
  const answers = await transaction.begin([...keeping, ...marking, ...opening]);
  return {
    kept: keeping.flatMap(() => answers.shift() ?? []),
    marks: marking.flatMap(() => answers.shift() ?? []),
    rest: answers,
  };
}

interface Decided {
  readonly decision: Decision;
  readonly intents: readonly Intent[];
}

async function finish(
  transaction: Transaction,
  { plan, origin }: Work,
  decided: Decided,
): Promise<RestResponse> {
  const how = plan.isDryRun ? 'ROLLBACK' : 'COMMIT';
  const { repeatable } = origin;
  const isRemembered = repeatable !== undefined && !plan.isDryRun;
  // Usually what is stored is committed in the same round trip.
  if (!isRemembered && !filtersReturned(plan))
    return store({ ...decided, plan, transaction }, (statements) => transaction.end(statements, how));
  const reply = await store({ ...decided, plan, transaction }, (statements) => transaction.load(statements));
  const remembered = isRemembered ? rememberAnswer(transaction.log, { ...repeatable, reply }) : [];
  await transaction.end(remembered, how);
  return reply;
}

/** Stores the decision. The representation is read only if it differs from the stored rows. */
async function store(
  { plan, decision, intents, transaction }: Decided & { plan: AnyWritePlan; transaction: Transaction },
  run: (statements: Statement[]) => Promise<TextRow[][]>,
): Promise<RestResponse> {
  const { resource } = plan;
  const ids = intents.map(({ id }) => id);
  const records = decision.decided.rows(resource, intents);
  const stored = storedRepresentation(plan, records);
  const wanted = plan.returning === null || stored !== null ? [] : [compileReturning(plan, ids)];
  const statements = decision.statements(transaction.position, wanted);
  const results = await run(statements).catch((error: unknown) => {
    throw withViolatedKey(error, resource, records);
  });
  const [read] = wanted.map((statement) => results[statements.indexOf(statement)]?.[0] ?? []);
  const returned =
    stored !== null
      ? { body: stored, page: records.length }
      : read && { body: read[0] ?? '[]', page: Number(read[1] ?? 0) };
  if (returned !== undefined) checkReturned(plan, returned.page);
  const inserted = intents.filter(({ command }) => command.kind === 'create').length;
  const reply = writeResponse(plan, {
    affected: intents.length,
    inserted,
    ids,
    returned: returned ?? null,
  });
  const version = decision.decided.versionOf(resource, intents);
  return version === null ? reply : { ...reply, headers: { ...reply.headers, ETag: entityTag(version) } };
}
