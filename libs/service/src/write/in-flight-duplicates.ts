// Requests that are sent again, with the same Idempotency-Key, while the first still runs: they wait for it, but not longer
// than anyone waits for them.

import { Injectable } from '@nestjs/common';
import { Rejection } from '@practice/core';
import type { Statement } from '@practice/event-store';
import type { RestResponse } from '@practice/query';
import type { Origin } from './write.command.js';

/** What is left of the time to answer in when a twin gives up, so that its answer arrives. */
const MARGIN_MS = 300;

/** Those that run in this process. */
@Injectable()
export class InFlightDuplicates {
  private readonly running = new Set<string>();

  /** @throws {Rejection} PM005 for a request whose first still runs when nobody waits any longer */
  async run(
    { therapistId, repeatable, deadline }: Origin,
    work: () => Promise<RestResponse>,
  ): Promise<RestResponse> {
    if (repeatable === undefined) return work();
    const key = `${therapistId} ${repeatable.key}`;
    if (this.running.has(key)) return beforeDeadline(work(), deadline - MARGIN_MS);
    this.running.add(key);
    try {
      return await work();
    } finally {
      this.running.delete(key);
    }
  }
}

/** What comes too late is no answer any more; done once it is all the same. */
async function beforeDeadline(work: Promise<RestResponse>, deadline: number): Promise<RestResponse> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, refuse) => {
    timer = setTimeout(() => refuse(new Rejection(stillRunning)), Math.max(0, deadline - Date.now()));
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Claims a key for the transaction; the answer, `t` or `f`, tells whether no other process has a request with it. It is
 * kept until the transaction ends, also while that waits for the practice's lock.
 */
export const claimKey = (therapistId: string, key: string): Statement => ({
  text: 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))',
  values: [`${therapistId} ${key}`],
});

export const stillRunning = {
  status: 409,
  code: 'PM005',
  message: 'the first request with this Idempotency-Key still runs',
  hint: 'Send it again a little later: it is answered as the first is.',
};
