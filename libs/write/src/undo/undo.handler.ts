import { chosenChanges, undo } from '@practice/contracts';
import { detailsOfPlace, problemFor, reject, Rejection, type Problem } from '@practice/core';
import type { ArgumentsOf, Resource, ResultOf } from '@practice/resource';
import { Handles } from '../functions/function-handler.js';
import type { DecidingCall, DecidingHandler, FunctionDecision } from '../functions/function-handler.js';
import type { MirrorAnswer } from '@practice/mirror';
import type { Decision } from '../engine/decision.js';
import { decideWithDependents } from '../engine/dependents.js';
import type { Resumable } from '../engine/group/resumable.js';
import { checkVersion } from '../engine/precondition.js';
import { chosenEvents } from './chosen-events.js';
import { changedSince } from './conflict.js';
import type { LoggedEvent } from './logged-events.js';
import { plannedSteps, presentsOf, type PlannedStep, type Presents } from './planned-steps.js';
import { checkFollows, checkStepRights } from './rights.js';
import { stepsBack } from './steps.js';
import { resourceIn, undoneRecords } from './undone-records.js';

type Undo = typeof undo;

/** Takes changes of the service's records back, by new events. It is the same for every resource. */
@Handles(undo)
export class UndoHandler implements DecidingHandler<Undo> {
  /**
   * @throws {Rejection} PM404 for an unknown change, 42501 for what the caller may not do, PM007 when a record has been changed
   *   since, PM016 when personal values of the change were erased, and the refusals of the rules that a write has to keep
   */
  *decide(args: ArgumentsOf<Undo>, call: DecidingCall): Resumable<FunctionDecision<ResultOf<Undo>>> {
    const { view, decision, caller, ifMatch } = call;
    const { service } = view.log;
    const resourceOf = resourceIn(service);
    const chosen = chosenChanges(args);
    const found = yield* chosenEvents(view, chosen);
    // An undo by actor skips the changes that cannot be undone.
    const events =
      chosen.kind === 'changes'
        ? found
        : found.filter(({ aggregate }) => resourceOf(aggregate).isUndoable !== false);
    // Records that callers only read follow from other records, whose dependent commands change them.
    const own = events.filter(({ aggregate }) => !isDerivedOnly(resourceOf(aggregate)));
    const steps = yield* stepsBack(own, resourceOf);
    // For a part of a batch, the service has found the change under the key of the caller's own request.
    if (call.takesBack === undefined) checkStepRights(steps, caller);
    checkErased(events);
    const presents = yield* presentsOf(view, steps);
    if (ifMatch !== undefined) checkOneVersion(presents, ifMatch);
    const chosenIds = new Set(events.map(({ metadata: { changeId = '' } }) => changeId));
    const undoing = { chosen: chosenIds, isForced: args.force };
    const planned = yield* plannedSteps(view, { steps, presents }, undoing);
    if (planned.kind === 'conflict') return reject(yield* changedSince(view, planned, chosenIds));
    const unknown = yield* lookUp(decision, planned.steps);
    const entries = unknown.length > 0 ? unknown : yield* decided(call, planned.steps);
    if (entries.length > 0) return { kind: 'unknown records', entries };
    return { kind: 'decided', result: yield* undoneRecords(service, decision.decided.events, caller) };
  }
}

const isDerivedOnly = ({ readOnly, isUndoable }: Resource): boolean =>
  readOnly === true && isUndoable !== false;

/** Looks up all records that the rules of all steps need, in one round trip. */
function lookUp(decision: Decision, steps: readonly PlannedStep[]): Resumable<readonly MirrorAnswer[]> {
  const resources = [...new Set(steps.map(({ step }) => step.resource))];
  return decision.lookUpAll(
    resources.map((resource) => ({
      resource,
      intents: steps.filter(({ step }) => step.resource === resource).map(({ intent }) => intent),
    })),
  );
}

/** Decides the steps one after another: the newest change first, each on the results of the steps before it. */
function* decided(
  { view, decision, caller: by }: Pick<DecidingCall, 'view' | 'decision' | 'caller'>,
  steps: readonly PlannedStep[],
): Resumable<readonly MirrorAnswer[]> {
  for (const { step, intent } of steps) {
    const { resource } = step;
    const { length } = decision.decided.events;
    const deciding = decideWithDependents(view, decision, { resource, intents: [intent], by });
    const unsure = yield* named(resource.name, intent.id, deciding);
    if (unsure.length > 0) return unsure;
    checkFollows(step, by, decision.decided.events.slice(length));
  }
  return [];
}

/** Takes the steps of a record; a refusal then names the record. */
function* named<T>(resource: string, id: string, steps: Resumable<T>): Resumable<T> {
  try {
    return yield* steps;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const details = detailsOfPlace(`${resource} ${id}`, error.problem.details);
    throw new Rejection({ ...error.problem, details });
  }
}

/** @throws {Rejection} PM006: 412 when the record has another version, 400 when the undo is about several records */
function checkOneVersion(presents: Presents, ifMatch: string): void {
  const [present, ...others] = presents.values();
  if (present === undefined || others.length > 0) return reject(needsOneRecord);
  checkVersion(present.version, ifMatch);
}

/** @throws {Rejection} PM016 when personal values of an event were erased */
function checkErased(events: readonly LoggedEvent[]): void {
  const erased = events.find((event) => event.erased);
  if (erased !== undefined) reject(erasedSince(erased));
}

const erasedSince = ({ aggregate, streamId, metadata: { changeId } }: LoggedEvent): Problem =>
  problemFor('PM016', {
    message: `${changeId} cannot be undone, because personal values of it were erased`,
    details: `${aggregate} ${streamId}.`,
  });

const needsOneRecord = problemFor('PM006', { status: 400, message: 'If-Match needs an undo of one record' });
