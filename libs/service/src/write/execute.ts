// A caller's write in its group's transaction: look up, decide, then store as `storedWrite` says.

import { catalog } from '@practice/contracts';
import { checkAffected } from '@practice/query';
import type { RestResponse } from '@practice/query';
import type { TextRow } from '@practice/event-store';
import { markedKeys, removeMarks } from '../references/deletion-marks.js';
import { confirmDeletions } from './confirm-deletions.js';
import type { Deciders } from './deciders.js';
import { Decision } from './decision.js';
import { MISSING } from './group/attempt.js';
import type { Attempt, Step } from './group/attempt.js';
import type { PracticeView } from './group/practice-view.js';
import { answerIn } from './group/questions.js';
import { replayOf } from './idempotency.js';
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
  return { decide: (view) => attempt(view, { ...work, intents }, known) };
}

interface Begun extends Work {
  readonly intents: Intents;
}

/** @throws {Rejection} when it is refused */
function attempt(view: PracticeView, begun: Begun, known: RemoteKnowledge): Step<Responded> {
  const { repeatable } = begun.origin;
  const { token } = known.attempt;
  const kept = repeatable === undefined ? [] : answerIn(view, repeatable);
  const marks = token === null ? [] : view.run(removeMarks(view.log, [token]));
  const replay = kept && replayOf(repeatable, kept);
  if (replay) return settled({ kind: 'done', value: replay });
  const decision = decisionOf(view, begun, known);
  const intents = lookedUp(view, begun, decision);
  if (kept === undefined || marks === undefined || intents === undefined) return MISSING;
  if (intents.kind === 'unknown records') return settled(intents);
  return decide(view, { ...begun, ...intents, decision }, { known, marks });
}

const settled = (value: Responded): Step<Responded> => ({ kind: 'settled', value });

const decisionOf = (view: PracticeView, { origin, deciders }: Work, { fetched }: RemoteKnowledge): Decision =>
  new Decision(view, { catalog, deciders, metadata: metadataOf(origin), fetched });

type LookedUp =
  | { readonly kind: 'known'; readonly found: readonly Intent[] }
  | Extract<Outcome<never>, { kind: 'unknown records' }>;

function lookedUp(
  view: PracticeView,
  { plan: { resource }, intents }: Begun,
  decision: Decision,
): LookedUp | undefined {
  const found = intents(view);
  const unknown = found && decision.lookUp(resource, found);
  if (found === undefined || unknown === undefined) return undefined;
  return unknown.length > 0 ? { kind: 'unknown records', entries: unknown } : { kind: 'known', found };
}

function decide(
  view: PracticeView,
  {
    plan,
    origin,
    found,
    decision,
  }: Work & { readonly found: readonly Intent[]; readonly decision: Decision },
  { known, marks }: { readonly known: RemoteKnowledge; readonly marks: readonly TextRow[] },
): Step<Responded> {
  const conditions = { ifMatch: origin.ifMatch, intents: found };
  if (checkPreconditions(view, plan, conditions) === undefined) return MISSING;
  checkAffected(plan, found.length);
  const unsure = decision.decide(plan.resource, found);
  if (unsure.length > 0) return settled({ kind: 'unknown records', entries: unsure });
  const asking = { attempt: known.attempt, marked: markedKeys(marks), isDryRun: plan.isDryRun };
  const unconfirmed = confirmDeletions(view, decision.deletions, asking);
  return unconfirmed ?? storedWrite({ plan, origin, decision, intents: found });
}
