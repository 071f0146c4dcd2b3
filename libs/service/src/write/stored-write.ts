import { checkReturned, compileReturning, entityTag, filtersReturned, writeResponse } from '@practice/query';
import type { RestResponse } from '@practice/query';
import type { TextRow } from '@practice/event-store';
import type { Decision } from './decision.js';
import type { Stored } from './group/attempt.js';
import type { Intent } from './intent.js';
import type { AnyWritePlan } from './intents.js';
import { storedRepresentation } from './representation.js';
import { withViolatedKey } from './unique-violation.js';
import type { Outcome } from './unit-of-work.js';
import type { Origin } from './write.command.js';

interface DecidedWrite {
  readonly plan: AnyWritePlan;
  readonly origin: Origin;
  readonly decision: Decision;
  readonly intents: readonly Intent[];
}

/** The representation in a response, and the number of its records. */
interface Returned {
  readonly body: string;
  readonly page: number;
}

/** A decided write, to be stored. Its representation is read only if it differs from the stored rows. */
export function storedWrite(write: DecidedWrite): Stored<Outcome<RestResponse>> {
  const { plan, origin, decision, intents } = write;
  const records = decision.decided.rows(plan.resource, intents);
  const body = storedRepresentation(plan, records);
  const returned = body === null ? null : { body, page: records.length };
  const read = plan.returning === null || body !== null ? [] : [compileReturning(plan, idsOf(intents))];
  const remembered = plan.isDryRun ? undefined : origin.repeatable;
  return {
    kind: 'stored',
    decided: decision.decided,
    how: plan.isDryRun ? 'ROLLBACK' : 'COMMIT',
    // A deleted record is read before it is removed.
    [plan.kind === 'delete' ? 'before' : 'after']: [...decision.learned, ...read],
    finishesFirst: filtersReturned(plan) || (remembered !== undefined && read.length > 0),
    finish: (results) => ({
      kind: 'done',
      value: responseTo(write, read.length === 0 ? returned : returnedIn(results)),
    }),
    ...(remembered && { answerOf: (outcome) => ({ ...remembered, reply: replyOf(outcome) }) }),
    explain: (error) => withViolatedKey(error, plan.resource, records),
  };
}

const idsOf = (intents: readonly Intent[]): string[] => intents.map(({ id }) => id);

/** The representation is read by the last statement. */
function returnedIn(results: readonly TextRow[][]): Returned {
  const [body, page] = results.at(-1)?.[0] ?? [];
  return { body: body ?? '[]', page: Number(page ?? 0) };
}

/** @throws {Rejection} when the representation has too many or too few records */
function responseTo({ plan, decision, intents }: DecidedWrite, returned: Returned | null): RestResponse {
  if (returned !== null) checkReturned(plan, returned.page);
  const inserted = intents.filter(({ command }) => command.kind === 'create').length;
  const outcome = { affected: intents.length, inserted, ids: idsOf(intents), returned };
  const reply = writeResponse(plan, outcome);
  const version = decision.decided.versionOf(plan.resource, intents);
  return version === null ? reply : { ...reply, headers: { ...reply.headers, ETag: entityTag(version) } };
}

function replyOf(outcome: Outcome<RestResponse>): RestResponse {
  if (outcome.kind !== 'done') throw new Error(`a write that is ${outcome.kind} has no response`);
  return outcome.value;
}
