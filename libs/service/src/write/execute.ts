// A caller's write in its group's transaction: look up, decide, say what to store, respond.

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
import { markedKeys, removeMarks } from '../references/deletion-marks.js';
import { confirmDeletions } from './confirm-deletions.js';
import type { Deciders } from './deciders.js';
import { Decision } from './decision.js';
import { MISSING } from './group/attempt.js';
import type { Attempt, Step, Stored } from './group/attempt.js';
import type { PracticeView } from './group/practice-view.js';
import { answerIn } from './group/questions.js';
import { replayOf } from './idempotency.js';
import type { Intent } from './intent.js';
import { intentsOf } from './intents.js';
import type { AnyWritePlan, Intents } from './intents.js';
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

type Responded = Outcome<RestResponse>;

/**
 * Begins a write.
 * @param now the time of everything that it decides
 * @throws {Rejection} when a record that the caller sent breaks its definition
 */
export function executeWrite(work: Work, known: RemoteKnowledge, now: string): Attempt<Responded> {
  const intents = intentsOf(work.plan, now);
  return { decide: (view) => decide(view, { ...work, intents }, known) };
}

/** @throws {Rejection} when it is refused */
function decide(
  view: PracticeView,
  work: Work & { readonly intents: Intents },
  known: RemoteKnowledge,
): Step<Responded> {
  const { plan, origin } = work;
  const { repeatable, ifMatch } = origin;
  const { token } = known.attempt;
  const kept = repeatable === undefined ? [] : answerIn(view, repeatable);
  const marks = token === null ? [] : view.run(removeMarks(view.log, [token]));
  const replay = kept && replayOf(repeatable, kept);
  if (replay) return settled({ kind: 'done', value: replay });
  const decision = decisionOf(view, work, known);
  const intents = work.intents(view);
  const unknown = intents && decision.lookUp(plan.resource, intents);
  if (kept === undefined || marks === undefined || intents === undefined || unknown === undefined)
    return MISSING;
  if (unknown.length > 0) return settled({ kind: 'unknown records', entries: unknown });
  if (checkPreconditions(view, plan, { ifMatch, intents }) === undefined) return MISSING;
  checkAffected(plan, intents.length);
  const unsure = decision.decide(plan.resource, intents);
  if (unsure.length > 0) return settled({ kind: 'unknown records', entries: unsure });
  const asking = { attempt: known.attempt, marked: markedKeys(marks), isDryRun: plan.isDryRun };
  return confirmDeletions(view, decision.deletions, asking) ?? stored(work, { decision, intents });
}

const settled = (value: Responded): Step<Responded> => ({ kind: 'settled', value });

const decisionOf = (view: PracticeView, { origin, deciders }: Work, { fetched }: RemoteKnowledge): Decision =>
  new Decision(view, { catalog, deciders, metadata: metadataOf(origin), fetched });

interface Decided {
  readonly decision: Decision;
  readonly intents: readonly Intent[];
}

/** What to store. The representation is read only if it differs from the stored rows. */
function stored({ plan, origin }: Work, { decision, intents }: Decided): Stored<Responded> {
  const { repeatable } = origin;
  const { resource, isDryRun } = plan;
  const { decided, learned } = decision;
  const records = decided.rows(resource, intents);
  const body = storedRepresentation(plan, records);
  const ids = intents.map(({ id }) => id);
  const read = plan.returning === null || body !== null ? [] : [compileReturning(plan, ids)];
  const isRemembered = repeatable !== undefined && !isDryRun;
  const page = body === null ? null : { body, page: records.length };
  const isDeletion = plan.kind === 'delete';
  return {
    kind: 'stored',
    decided,
    how: isDryRun ? 'ROLLBACK' : 'COMMIT',
    before: isDeletion ? [...learned, ...read] : [],
    after: isDeletion ? [] : [...learned, ...read],
    finishesFirst: filtersReturned(plan) || (isRemembered && read.length > 0),
    finish: (results) => {
      const row = read.length === 0 ? undefined : results.at(-1)?.[0];
      const returned = row === undefined ? page : { body: row[0] ?? '[]', page: Number(row[1] ?? 0) };
      if (returned !== null) checkReturned(plan, returned.page);
      return { kind: 'done', value: responseOf(plan, { decision, intents }, returned) };
    },
    ...(isRemembered ? { answerOf: (outcome) => ({ ...repeatable, reply: replyOf(outcome) }) } : {}),
    explain: (error) => withViolatedKey(error, resource, records),
  };
}

function responseOf(
  plan: AnyWritePlan,
  { decision, intents }: Decided,
  returned: { readonly body: string; readonly page: number } | null,
): RestResponse {
  const inserted = intents.filter(({ command }) => command.kind === 'create').length;
  const ids = intents.map(({ id }) => id);
  const reply = writeResponse(plan, { affected: intents.length, inserted, ids, returned });
  const version = decision.decided.versionOf(plan.resource, intents);
  return version === null ? reply : { ...reply, headers: { ...reply.headers, ETag: entityTag(version) } };
}

function replyOf(outcome: Responded): RestResponse {
  if (outcome.kind !== 'done') throw new Error(`nothing is stored for ${outcome.kind}`);
  return outcome.value;
}
