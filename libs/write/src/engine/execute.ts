// A caller's write in its group's transaction: it is looked up, decided, and then stored as `storedWrite` says.

import { processTime } from '@practice/core';
import { checkAffected, type RestResponse, type WritePlan } from '@practice/query';
import type { Row } from '@practice/resource';
import { confirmDeletions, removedMarks } from './confirm-deletions.js';
import type { Deciders } from './deciders.js';
import { Decision } from './decision.js';
import { changesOf, type EffectsOfWrite } from './effects.js';
import { checkDependents, decideWithDependents } from './dependents.js';
import type { Attempt, Step } from './group/attempt.js';
import type { Resumable } from './group/resumable.js';
import type { PracticeView } from './group/practice-view.js';
import type { Intent } from './intent.js';
import { intentsOf, type Intents } from './intents.js';
import { metadataOf } from './metadata.js';
import { checkPreconditions } from './precondition.js';
import { storedWrite } from './stored-write.js';
import type { AttemptResult, RemoteKnowledge } from './attempt-result.js';
import type { Origin } from './write.command.js';

export interface Work {
  readonly plan: WritePlan;
  readonly origin: Origin;
  /** The method of the request. */
  readonly method: string;
  readonly deciders: Deciders;
  readonly effects: EffectsOfWrite;
  /** Called with the decided records if the write is one of several; a deleted record is as it was. */
  readonly onDecided?: (records: readonly Row[]) => void;
}

type Responded = AttemptResult<RestResponse>;

/**
 * Begins a write.
 * @param now the time of everything that it decides
 * @throws {Rejection} when a record that the caller sent breaks its definition
 */
export async function executeWrite(
  work: Work,
  known: RemoteKnowledge,
  now: string,
): Promise<Attempt<Responded>> {
  const intents = await processTime.run(work.origin, intentsOf(work.plan, now, work.origin));
  return { decide: (view) => attempt(view, { intents, ...work }, known) };
}

interface Begun extends Work {
  readonly intents: Intents;
}

/** @throws {Rejection} when it is refused */
function* attempt(view: PracticeView, begun: Begun, known: RemoteKnowledge): Resumable<Step<Responded>> {
  const { plan, origin, deciders } = begun;
  const { resource } = plan;
  const decision = new Decision(view, {
    deciders,
    fetched: known.fetched,
    by: origin,
    metadata: metadataOf(origin, origin),
  });
  const intents = yield* begun.intents(view);
  yield* checkDependents(decision, resource, intents);
  const unknown = yield* decision.lookUp(resource, intents);
  if (unknown.length > 0) return settled({ kind: 'unknown records', entries: unknown });
  yield* checkPreconditions(view, plan, { ifMatch: origin.ifMatch, intents });
  checkAffected(plan, intents.length);
  const unsure = yield* decideWithDependents(view, decision, { resource, intents, by: origin });
  if (unsure.length > 0) return settled({ kind: 'unknown records', entries: unsure });
  yield* decideFollowing(view, decision, { ...begun, intents });
  if (known.collected !== undefined) {
    known.collected.push(...decision.deletions);
    begun.onDecided?.(decision.decided.rows(resource, intents));
    return yield* storedWrite({ decision, ...begun, intents });
  }
  const marked = yield* removedMarks(view, known.attempt);
  const asking = { attempt: known.attempt, marked, isDryRun: plan.isDryRun };
  const unconfirmed = confirmDeletions(view, decision.deletions, asking);
  return unconfirmed ?? (yield* storedWrite({ decision, ...begun, intents }));
}

const settled = (value: Responded): Step<Responded> => ({ kind: 'settled', value });

/** Decides the records that side effects add to the write. */
function* decideFollowing(
  view: PracticeView,
  decision: Decision,
  { plan, origin, effects, intents }: Work & { readonly intents: readonly Intent[] },
): Resumable<void> {
  if (!effects.existFor(plan.resource)) return;
  yield* view.turn();
  const changes = changesOf(plan, intents, decision.decided.rows(plan.resource, intents));
  for (const { resource, record } of effects.follow(changes, { by: origin, now: view.now })) {
    const command = { kind: 'create', record } as const;
    yield* decision.decide(resource, [{ id: String(record['id']), command, state: null, version: 0 }]);
  }
}
