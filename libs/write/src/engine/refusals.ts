// Refusals under an Idempotency-Key: a repeated request gets the same refusal again.

import { Injectable } from '@nestjs/common';
import { Rejection, reject, unknownButRepeatable, unknownOutcome, type Problem } from '@practice/core';
import { SYSTEM } from '@practice/log';
import { problemReply } from '@practice/bus';
import type { Caller } from '@practice/mirror';
import type { RestResponse, Repeatable } from '@practice/query';
import { asProblem } from '@practice/storage';
import { keptUnder } from './idempotency.js';
import { UnitsOfWork, type UnitOfWork } from './unit-of-work.js';
import type { Origin } from './write.command.js';

/** The request that was refused. */
type Refused = Pick<Origin, 'therapistId' | 'requestId' | 'deadline' | 'repeatable'>;

@Injectable()
export class Refusals {
  constructor(private readonly units: UnitsOfWork) {}

  /**
   * Stores a refusal under the request's key.
   * @returns the first response, if the request was answered before
   * @throws {Rejection} the refusal; if its outcome is unknown, it says that the request may be repeated
   */
  async keep(rejection: Rejection, request: Refused): Promise<RestResponse> {
    const { problem } = rejection;
    const { repeatable } = request;
    if (repeatable === undefined) throw rejection;
    if (problem === unknownOutcome) reject(unknownButRepeatable);
    if (problem.status >= 500 || isForNow(problem)) throw rejection;
    const kept = refusalUnit(request, repeatable, problem);
    const first = await this.units.run(kept).catch((error: unknown) => {
      const failure = asProblem(error);
      // The commit of the refusal may be lost, too.
      const isUnknown = failure instanceof Rejection && failure.problem === unknownOutcome;
      throw isUnknown ? new Rejection(unknownButRepeatable) : failure;
    });
    if (first !== null) return first;
    throw rejection;
  }
}

/** Whether a refusal is temporary: the first request may still run, and a closed practice can be opened again. */
const isForNow = ({ code }: Problem): boolean => code === 'PM005' || code === 'PM017';

/**
 * Stores a refusal under its key. A refusal by a limit is not stored, since the caller repeats the request later. The result is the
 * response that is already stored under the key, or null.
 */
export const refusalUnit = (
  { therapistId, requestId, deadline }: Caller,
  repeatable: Repeatable,
  problem: Problem,
): UnitOfWork<RestResponse | null> => ({
  ...{ therapistId, requestId, deadline, writer: SYSTEM, repeatable, batching: 'any', size: 1 },
  begin: () => ({
    *decide() {
      return {
        kind: 'stored',
        how: 'COMMIT',
        finish: () => ({ kind: 'done', value: null }),
        ...keptUnder(problem.status === 429 ? undefined : repeatable, () => problemReply(problem)),
      };
    },
  }),
});
