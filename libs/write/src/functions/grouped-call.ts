// A call of a function that decides about records: one write among others. It is decided on the view of its practice, and
// stored with its group's transaction, in which Postgres makes the response of its result.

import { catalog } from '@practice/contracts';
import type { Steps } from '@practice/core';
import type { PreparedCall, RestResponse, Repeatable } from '@practice/query';
import { callResponse, voidResponse } from '@practice/query';
import { resultOf, accessOf } from '@practice/read';
import { setZone } from '@practice/storage';
import type { Resource } from '@practice/resource';
import type { ShownRecords } from '@practice/read';
import { beginningOf } from '../engine/beginning.js';
import { confirmDeletions } from '../engine/confirm-deletions.js';
import type { Deciders } from '../engine/deciders.js';
import { Decision } from '../engine/decision.js';
import { MISSING } from '../engine/group/attempt.js';
import type { Step, Stored } from '../engine/group/attempt.js';
import type { PracticeView } from '../engine/group/practice-view.js';
import { metadataOf } from '../engine/metadata.js';
import { asBrokenRule } from '../engine/unique-violation.js';
import type { Outcome, RemoteKnowledge, UnitOfWork } from '../engine/unit-of-work.js';
import type { FunctionCall } from './function-handler.js';
import type { AnyDecidingHandler } from './functions.js';
import { keptAnswer } from './kept-answer.js';

export interface GroupedCall {
  readonly prepared: PreparedCall;
  readonly handler: AnyDecidingHandler;
  readonly args: object;
  readonly call: FunctionCall;
  readonly ifMatch: string | undefined;
  readonly named: ReadonlySet<string>;
  readonly repeatable: Repeatable | undefined;
  readonly deciders: Deciders;
  /** Called with the records that it has decided, on which a refusal of its response depends too. */
  readonly concern: (shown: ShownRecords) => void;
}

type Responded = Outcome<RestResponse>;

/** The call as a unit of work. */
export function groupedCall(called: GroupedCall): UnitOfWork<RestResponse> {
  const { call, prepared, repeatable } = called;
  const { timezone } = prepared.plan;
  return {
    ...{ therapistId: call.caller.therapistId, requestId: call.requestId, deadline: call.deadline },
    gone: call.gone,
    writer: call.caller.practiceRole,
    // Its response is read in the transaction, and kept with it.
    company: 'none',
    weight: 1,
    ...(timezone === null ? {} : { setup: [setZone(timezone)] }),
    claims: repeatable?.key,
    begin: (known) => ({ decide: (view) => attempt(view, called, known) }),
  };
}

/** @throws {Rejection} when it is refused */
function* attempt(view: PracticeView, called: GroupedCall, known: RemoteKnowledge): Steps<Step<Responded>> {
  const { call, args, handler, ifMatch, named, prepared, deciders } = called;
  const { replay, marked } = beginningOf(view, called.repeatable, known);
  if (replay !== null) return settled({ kind: 'done', value: replay });
  const metadata = metadataOf(call, call.caller);
  const decision = new Decision(view, {
    ...{ catalog, deciders, metadata, by: call.caller },
    fetched: known.fetched,
  });
  const decided = yield* handler.decide(args, { ...call, view, decision, ifMatch, named });
  if (marked === undefined || decided.kind === 'missing') return MISSING;
  if (decided.kind === 'unknown records') return settled(decided);
  const asking = { attempt: known.attempt, marked, isDryRun: prepared.plan.isDryRun };
  const unconfirmed = confirmDeletions(view, decision.deletions, asking);
  return unconfirmed ?? stored(called, decision, decided.result);
}

const settled = (value: Responded): Step<Responded> => ({ kind: 'settled', value });

function stored(
  { prepared, repeatable, concern, call: { caller, requestId } }: GroupedCall,
  decision: Decision,
  result: unknown,
): Stored<Responded> {
  const { plan, definition } = prepared;
  const rows = Array.isArray(result) ? (result as object[]) : [result as object];
  const changeId = plan.isDryRun ? null : decision.changeId;
  const shown = shownBy(decision);
  const accessor = { by: { ...caller, requestId }, method: 'POST' };
  const { accesses, unrecorded, replayed } = accessOf(shown, accessor, plan.isDryRun);
  concern(shown);
  return {
    kind: 'stored',
    decided: decision.decided,
    how: plan.isDryRun ? 'ROLLBACK' : 'COMMIT',
    after: [...decision.learned, ...(plan.isVoid ? [] : [prepared.queryFor(rows)])],
    finishesFirst: true,
    accesses,
    explain: (error) => asBrokenRule(error, [...catalog.resources.values()]),
    finish: (results) => {
      const [row = []] = results.at(-1) ?? [];
      const reply = plan.isVoid ? voidResponse(plan) : callResponse(plan, resultOf(plan, row));
      return { kind: 'done', value: { ...withChange(reply, changeId), unrecorded } };
    },
    ...(repeatable !== undefined &&
      !plan.isDryRun && {
        answerOf: (outcome: Responded) => ({
          ...repeatable,
          reply: { ...keptAnswer(definition, replyOf(outcome)), ...replayed },
        }),
      }),
  };
}

/** The records that were decided: the response may show any of them. */
function shownBy({ decided }: Decision): Map<Resource, string[]> {
  const shown = new Map<Resource, string[]>();
  for (const { resource, aggregate } of decided.all)
    shown.set(resource, [...(shown.get(resource) ?? []), aggregate.id]);
  return shown;
}

/** The response with the id of the change that the call has made. */
export const withChange = (answer: RestResponse, id: string | null | undefined): RestResponse =>
  id == null ? answer : { ...answer, headers: { ...answer.headers, 'Change-Id': id } };

function replyOf(outcome: Responded): RestResponse {
  if (outcome.kind !== 'done') throw new Error(`a call that is ${outcome.kind} has no response`);
  return outcome.value;
}
