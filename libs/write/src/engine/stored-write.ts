import type { Steps } from '@practice/core';
import { checkReturned, compileReturning, entityTag, filtersReturned, writeResponse } from '@practice/query';
import type { RestResponse, WritePlan } from '@practice/query';
import { actFor, readAsSystem, type TextRow } from '@practice/log';
import { accessOf, type ShownRecords } from '@practice/read';
import type { Decision } from './decision.js';
import { changesOf, type EffectsOfWrite } from './effects.js';
import { keptUnder } from './idempotency.js';
import { storableResponse } from './one-time-secrets.js';
import type { Stored } from './group/attempt.js';
import type { Intent } from './intent.js';
import { storedRepresentation } from './representation.js';
import { withViolatedKey } from './unique-violation.js';
import type { AttemptResult } from './attempt-result.js';
import type { Origin } from './write.command.js';

interface DecidedWrite {
  readonly plan: WritePlan;
  readonly origin: Origin;
  readonly method: string;
  readonly decision: Decision;
  readonly effects: EffectsOfWrite;
  readonly intents: readonly Intent[];
}

/** The step that stores a decided write. Its representation is read only if it differs from the stored rows. */
export function* storedWrite(write: DecidedWrite): Steps<Stored<AttemptResult<RestResponse>>> {
  const { plan, origin, method, decision, effects, intents } = write;
  const records = decision.decided.rows(plan.resource, intents);
  const body = yield* storedRepresentation(plan, records);
  const effect = effects.begin(changesOf(plan, intents, records));
  const returned = body === null ? null : { body, page: records.length };
  const reader = { therapistId: origin.therapistId, role: plan.role };
  const read =
    plan.returning === null || body !== null
      ? []
      : [actFor(reader), compileReturning(plan, idsOf(intents)), readAsSystem()];
  const own = [...decision.mirrorUpdates, ...effect, ...read];
  const told = accessOf(toldBy(write), { by: origin, method }, plan.isDryRun);
  const { accesses, unrecorded, replayed } = told;
  const { repeatable } = origin;
  return {
    kind: 'stored',
    decided: decision.decided,
    how: plan.isDryRun ? 'ROLLBACK' : 'COMMIT',
    // A deleted record is read before it is removed.
    [plan.kind === 'delete' ? 'before' : 'after']: own,
    // The response of a write with statements of its own follows from their results, and is stored in the same transaction.
    finishesFirst: filtersReturned(plan) || (repeatable !== undefined && own.length > 0),
    accesses,
    finish: (results) => ({
      kind: 'done',
      value: { unrecorded, ...responseTo(write, read.length === 0 ? returned : returnedIn(results)) },
    }),
    explain: (error) => withViolatedKey(error, plan.resource, records),
    ...keptUnder(repeatable, (result: AttemptResult<RestResponse>) => ({
      ...storableResponse(plan, replyIn(result)),
      ...replayed,
    })),
  };
}

/** The records that the response reveals: even without a representation, its version shows whether a stored record had the values that were sent. */
const toldBy = ({ plan, intents }: DecidedWrite): ShownRecords =>
  new Map([[plan.resource, idsOf(intents.filter(({ state }) => plan.returning !== null || state !== null))]]);

const idsOf = (intents: readonly Intent[]): string[] => intents.map(({ id }) => id);

/** The representation in a response, and the number of its records. It is read by the statement before the last one. */
function returnedIn(results: readonly TextRow[][]) {
  const [body, page] = results.at(-2)?.[0] ?? [];
  return { body: body ?? '[]', page: Number(page ?? 0) };
}

/** @throws {Rejection} when the representation has too many or too few records */
function responseTo(
  { plan, decision, intents }: DecidedWrite,
  returned: ReturnType<typeof returnedIn> | null,
): RestResponse {
  if (returned !== null) checkReturned(plan, returned.page);
  const inserted = intents.filter(({ command }) => command.kind === 'create').length;
  const outcome = { affected: intents.length, inserted, ids: idsOf(intents), returned };
  const reply = writeResponse(plan, outcome);
  const version = plan.isVersioned ? decision.decided.versionOf(plan.resource, intents) : null;
  const changeId = plan.isDryRun ? null : decision.changeId;
  const tag = version === null ? {} : { ETag: entityTag(version) };
  const change = changeId === null ? {} : { 'Change-Id': changeId };
  return { ...reply, headers: Object.assign({}, reply.headers, tag, change) };
}

/** The response of a request that is done. */
export function replyIn(result: AttemptResult<RestResponse>): RestResponse {
  if (result.kind !== 'done') throw new Error(`a request that is ${result.kind} has no response`);
  return result.value;
}
