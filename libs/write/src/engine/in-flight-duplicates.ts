// Requests with an Idempotency-Key whose first request is still running: they wait for it, but no longer than their callers wait.

import { Injectable } from '@nestjs/common';
import { problemFor, Rejection, within } from '@practice/core';
import type { PracticeKey, Statement } from '@practice/log';
import { timeLeft } from './time-left.js';
import type { Origin } from './write.command.js';

/** The requests that run in this process. */
@Injectable()
export class InFlightDuplicates {
  private readonly running = new Set<string>();

  /** @throws {Rejection} PM005 for a duplicate if the first request is still running near the duplicate's deadline */
  async run<T>(
    { therapistId, repeatable, deadline }: Pick<Origin, 'therapistId' | 'repeatable' | 'deadline'>,
    work: () => Promise<T>,
  ): Promise<T> {
    if (repeatable === undefined) return work();
    const key = `${therapistId} ${repeatable.key}`;
    if (this.running.has(key))
      return within(Math.max(0, timeLeft(deadline)), work(), () => new Rejection(stillRunning));
    this.running.add(key);
    try {
      return await work();
    } finally {
      this.running.delete(key);
    }
  }
}

/**
 * Claims keys until the transaction ends. The result has a row for each key: `t`, or `f` if another process holds the key. That
 * process may itself be waiting for the practice's lock.
 */
export const claimKeys = (keys: readonly PracticeKey[]): Statement => ({
  text: 'SELECT pg_try_advisory_xact_lock(hashtextextended(claimed, 0)) FROM unnest($1::text[]) AS claimed',
  values: [keys.map(({ therapistId, key }) => `${therapistId} ${key}`)],
});

export const stillRunning = problemFor('PM005', {
  message: 'the first request with this Idempotency-Key is still running',
  hint: 'Retry in a moment to get the response of the first request.',
});
