// A caller's write in its group's transaction: look up, decide, then store as `storedWrite` says.

import { catalog } from '@practice/contracts';
import { processTime } from '@practice/core';
import type { Steps } from '@practice/core';
import { checkAffected } from '@practice/query';
import type { RestResponse } from '@practice/query';
import { beginningOf } from './beginning.js';
import { confirmDeletions } from './confirm-deletions.js';
import type { Deciders } from './deciders.js';
import { Decision } from './decision.js';
import { changesOf } from './effects.js';
import type { EffectsOfWrite } from './effects.js';
import { checkEntailing, decideWithEntailed } from './entailed.js';
import { MISSING } from './group/attempt.js';
import type { Attempt, Step } from './group/attempt.js';
import type { PracticeView } from './group/practice-view.js';
import type { Intent } from './intent.js';
import { intentsOf } from './intents.js';
import type { AnyWritePlan, Intents } from './intents.js';
import { metadataOf } from './metadata.js';
import { checkPreconditions } from './precondition.js';
import { storedWrite } from './stored-write.js';
import type { Outcome, RemoteKnowledge } from './unit-of-work.js';
import type { Origin } from './write.command.js';

export interface Work {
  readonly plan: AnyWritePlan;
  readonly origin: Origin;
  /** The method of the request. */
  readonly method: string;
  readonly deciders: Deciders;
  readonly effects: EffectsOfWrite;
}

type Responded = Outcome<RestResponse>;

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
  const intents = await processTime.run(work.origin, intentsOf(work.plan, now));
  return { decide: (view) => attempt(view, { ...work, intents }, known) };
}

interface Begun extends Work {
  readonly intents: Intents;
}

/** @throws {Rejection} when it is refused */
function* attempt(view: PracticeView, begun: Begun, known: RemoteKnowledge): Steps<Step<Responded>> {
  const { replay, marked } = beginningOf(view, begun.origin.repeatable, known);
  if (replay !== null) return settled({ kind: 'done', value: replay });
  const decision = decisionOf(view, begun, known);
  const intents = yield* lookedUp(view, begun, decision);
  if (marked === undefined || intents === undefined) return MISSING;
  if (intents.kind === 'unknown records') return settled(intents);
  return yield* decide(view, { ...begun, ...intents, decision }, { known, marked });
}

const settled = (value: Responded): Step<Responded> => ({ kind: 'settled', value });

const decisionOf = (view: PracticeView, { origin, deciders }: Work, { fetched }: RemoteKnowledge): Decision =>
  new Decision(view, {
    ...{ catalog, deciders, fetched, by: origin },
    metadata: metadataOf(origin, origin),
  });

type LookedUp =
  | { readonly kind: 'known'; readonly found: readonly Intent[] }
  | Extract<Outcome<never>, { kind: 'unknown records' }>;

function* lookedUp(
  view: PracticeView,
  { plan: { resource }, intents }: Begun,
  decision: Decision,
): Steps<LookedUp | undefined> {
  const found = yield* intents(view);
  if (found !== undefined) yield* checkEntailing(decision, resource, found);
  const unknown = found && (yield* decision.lookUp(resource, found));
  if (found === undefined || unknown === undefined) return undefined;
  return unknown.length > 0 ? { kind: 'unknown records', entries: unknown } : { kind: 'known', found };
}

type Found = Pick<Work, 'plan' | 'origin' | 'method' | 'effects'> & {
  readonly found: readonly Intent[];
  readonly decision: Decision;
};

function* decide(
  view: PracticeView,
  write: Found,
  { known, marked }: { readonly known: RemoteKnowledge; readonly marked: ReadonlySet<string> },
): Steps<Step<Responded>> {
  const { plan, origin, effects, found, decision } = write;
  const conditions = { ifMatch: origin.ifMatch, intents: found };
  if (checkPreconditions(view, plan, conditions) === undefined) return MISSING;
  checkAffected(plan, found.length);
  const unsure = yield* decideWithEntailed(view, decision, {
    resource: plan.resource,
    intents: found,
    by: origin,
  });
  if (unsure === undefined) return MISSING;
  if (unsure.length > 0) return settled({ kind: 'unknown records', entries: unsure });
  yield* decideFollowing(view, write);
  const asking = { attempt: known.attempt, marked, isDryRun: plan.isDryRun };
  const unconfirmed = confirmDeletions(view, decision.deletions, asking);
  return (
    unconfirmed ??
    (yield* storedWrite({ plan, origin, method: write.method, decision, effects, intents: found }))
  );
}

/** Decides the records that effects add to the write. */
function* decideFollowing(
  view: PracticeView,
  { plan, origin, effects, found, decision }: Found,
): Steps<void> {
  if (!effects.concern(plan.resource)) return;
  const changes = changesOf(plan, found, decision.decided.rows(plan.resource, found));
  for (const { resource, record } of effects.follow(changes, { by: origin, now: view.now })) {
    const command = { kind: 'create', record } as const;
    yield* decision.decide(resource, [{ id: String(record['id']), command, state: null, version: 0 }]);
  }
}
