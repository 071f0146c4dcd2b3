// A call of a function that decides about records: one write among others. It is decided on the view of its practice, and
// stored with its group's transaction, in which Postgres makes the response of its result.

import { catalog } from '@practice/contracts';
import { grouped } from '@practice/core';
import type { RestResponse } from '@practice/query';
import { SYSTEM, type Statement } from '@practice/log';
import { setZone } from '@practice/storage';
import type { Resource } from '@practice/resource';
import { accessOf, type ShownRecords } from '@practice/read';
import { confirmDeletions, removedMarks } from '../engine/confirm-deletions.js';
import type { Deciders } from '../engine/deciders.js';
import { Decision } from '../engine/decision.js';
import { answersTo } from '../engine/decision-input.js';
import type { Resumable } from '../engine/group/resumable.js';
import type { Step, Stored } from '../engine/group/attempt.js';
import type { PracticeView } from '../engine/group/practice-view.js';
import { forgetIdempotency, keptUnder, ownRecord } from '../engine/idempotency.js';
import { metadataOf } from '../engine/metadata.js';
import { asBrokenRule } from '../engine/unique-violation.js';
import { replyIn } from '../engine/stored-write.js';
import type { AttemptResult, RemoteKnowledge } from '../engine/attempt-result.js';
import type { UnitOfWork } from '../engine/unit-of-work.js';
import type { Called } from './call-function.command.js';
import type { DecidingCall, FunctionCall, TakingBack } from './function-handler.js';
import type { AnyDecidingHandler } from './functions.js';
import { responseOf, storableResponse, withChange } from './function-response.js';

export interface DecidingCallInput extends Called {
  readonly handler: AnyDecidingHandler;
  readonly args: object;
  readonly deciders: Deciders;
  /** Called with the records that it has decided. A refusal of its response depends on them, too. */
  readonly onShown: (shown: ShownRecords) => void;
}

interface DecidedCall {
  readonly decision: Decision;
  readonly service: string;
  readonly result: unknown;
}

type Responded = AttemptResult<RestResponse>;

/** The call as a unit of work. */
export function callUnit(called: DecidingCallInput): UnitOfWork<RestResponse> {
  const { call, prepared, repeatable } = called;
  const { timezone } = prepared.plan;
  return {
    therapistId: call.caller.therapistId,
    requestId: call.requestId,
    deadline: call.deadline,
    gone: call.gone,
    // Taking a change back may need a right that the change did not need: a role that may add clients may not delete them.
    writer: call.takesBack === undefined ? call.caller.practiceRole : SYSTEM,
    // Its response is read in the transaction, and stored with it.
    batching: 'none',
    size: 1,
    repeatable,
    // A batch is taken back even if the practice was closed between its parts.
    requiresOpen: call.takesBack === undefined,
    begin: (known) => ({ decide: (view) => attempt(view, called, known) }),
    ...(timezone === null ? {} : { setup: [setZone(timezone)] }),
  };
}

/** @throws {Rejection} when it is refused */
function* attempt(
  view: PracticeView,
  called: DecidingCallInput,
  known: RemoteKnowledge,
): Resumable<Step<Responded>> {
  const { call, args, handler, ifMatch, given, prepared, deciders } = called;
  const { takesBack, caller } = call;
  if (takesBack?.onlyOwn === true) {
    const own = yield* view.rows(ownRecord(view.log.service, caller.therapistId, takesBack.repeatable));
    if (own.length === 0) return leftInPlace;
  }
  const metadata = metadataOf(call, call.caller);
  const decision = new Decision(view, { deciders, metadata, by: call.caller, fetched: known.fetched });
  const ask: DecidingCall['ask'] = (matches) => answersTo(matches, known.fetched);
  const named = new Set(Object.keys(given));
  const decided = yield* handler.decide(args, { ...call, view, decision, ask, ifMatch, named });
  if (decided.kind === 'unknown records') return { kind: 'settled', value: decided };
  const marked = yield* removedMarks(view, known.attempt);
  const asking = { attempt: known.attempt, marked, isDryRun: prepared.plan.isDryRun };
  const unconfirmed = confirmDeletions(view, decision.deletions, asking);
  return unconfirmed ?? stored(called, { decision, service: view.log.service, result: decided.result });
}

/** Commits nothing but the removal of marks. */
const leftInPlace: Stored<Responded> = {
  ...{ kind: 'stored', how: 'COMMIT' },
  finish: () => ({ kind: 'done', value: { status: 204, headers: {}, body: null } }),
};

function stored(
  { prepared, repeatable, onShown, call }: DecidingCallInput,
  { decision, service, result }: DecidedCall,
): Stored<Responded> {
  const { caller, requestId, takesBack } = call;
  const { plan, definition } = prepared;
  const response = responseOf(prepared, result);
  const changeId = plan.isDryRun ? null : decision.changeId;
  const shown = shownBy(decision);
  const accessor = { by: { ...caller, requestId }, method: 'POST' };
  const { accesses, unrecorded, replayed } = accessOf(shown, accessor, plan.isDryRun);
  onShown(shown);
  return {
    kind: 'stored',
    decided: decision.decided,
    how: plan.isDryRun ? 'ROLLBACK' : 'COMMIT',
    after: [...decision.mirrorUpdates, ...forgotten(service, call), ...response.statements],
    finishesFirst: true,
    accesses,
    explain: (error) => asBrokenRule(error, [...catalog.resources.values()]),
    finish: (results) => ({
      kind: 'done',
      value: { ...withChange(response.reply(results), changeId), unrecorded },
    }),
    ...(takesBack !== undefined && { ignoresQuota: true, keepsAlways: true }),
    ...replacementBy(takesBack),
    ...keptUnder(repeatable, (responded: Responded) => ({
      ...storableResponse(definition, replyIn(responded)),
      ...replayed,
    })),
  };
}

const forgotten = (service: string, { caller, takesBack }: FunctionCall): Statement[] =>
  takesBack === undefined ? [] : [forgetIdempotency(service, caller.therapistId, takesBack.repeatable.key)];

const replacementBy = ({ repeatable, replacement = null }: Partial<TakingBack> = {}) =>
  replacement === null ? {} : keptUnder(repeatable, () => replacement);

/** The records that were decided: the response may show any of them. */
const shownBy = ({ decided }: Decision): Map<Resource, string[]> =>
  grouped(decided.all.map(({ resource, aggregate }) => [resource, aggregate.id]));
