// Refusals under an Idempotency-Key: a repeated request gets the same refusal again.

import { Injectable } from '@nestjs/common';
import { Rejection, reject, unknownButRepeatable, unknownOutcome, type Problem } from '@practice/core';
import { SYSTEM } from '@practice/log';
import { problemReply } from '@practice/bus';
import type { RestResponse, Repeatable } from '@practice/query';
import { asProblem } from '@practice/storage';
import type { Attempt } from './group/attempt.js';
import { UnitsOfWork } from './unit-of-work.js';
import type { AttemptResult } from './attempt-result.js';
import type { Origin } from './write.command.js';

/** The request that was refused. */
type Refused = Pick<Origin, 'therapistId' | 'requestId' | 'deadline' | 'repeatable'>;

@Injectable()
export class Refusals {
  constructor(private readonly units: UnitsOfWork) {}

  /**
   * Stores a refusal under the request's key.
   * @returns the first response, if the request was answered before
   * @throws {Rejection} the refusal; one whose outcome is unknown says that the request may be repeated
   */
  async keep(rejection: Rejection, request: Refused): Promise<RestResponse> {
    const { problem } = rejection;
    const { therapistId, requestId, deadline, repeatable } = request;
    if (repeatable === undefined) throw rejection;
    if (problem === unknownOutcome) reject(unknownButRepeatable);
    if (problem.status >= 500 || isForNow(problem)) throw rejection;
    const kept = this.units.run<RestResponse | null>({
      ...{ therapistId, requestId, deadline, writer: SYSTEM },
      ...{ repeatable, replayed: (reply) => reply },
      batching: 'any',
      size: 1,
      begin: () => storeRefusal(repeatable, problemReply(problem)),
    });
    const first = await kept.catch((error: unknown) => {
      const failure = asProblem(error);
      // The commit of the refusal may be lost, too.
      const isUnknown = failure instanceof Rejection && failure.problem === unknownOutcome;
      throw isUnknown ? new Rejection(unknownButRepeatable) : failure;
    });
    if (first !== null) return first;
    throw rejection;
  }
}

/** The first request may still run, and a closed practice can be opened again. */
const isForNow = ({ code }: Problem): boolean => code === 'PM005' || code === 'PM017';

/** Stores a refusal under its key. */
export const storeRefusal = (repeatable: Repeatable, reply: RestResponse): Attempt<AttemptResult<null>> => ({
  *decide() {
    return {
      kind: 'stored',
      how: 'COMMIT',
      finish: () => ({ kind: 'done', value: null }),
      idempotencyRecord: () => ({ ...repeatable, reply }),
    };
  },
});
