import { randomUUID } from 'node:crypto';
import { LOG_ROOT } from '@practice/contracts';
import type { LogRoot } from '@practice/log';
import { createRequester } from '@practice/bus';
import type { Connection, Requester } from '@practice/bus';

/** A service reads one row for each practice. */
const ANSWER_WITHIN_MS = 120_000;

/** Asks the other services for the roots of their logs. */
export class LogRoots {
  private readonly requester: Requester;

  constructor(connection: Connection) {
    this.requester = createRequester({ connection, user: 'identity', timeoutMs: ANSWER_WITHIN_MS });
  }

  /** @throws {Error} if the service is unavailable or fails */
  async of(service: string, until: string): Promise<LogRoot> {
    const envelope = { op: LOG_ROOT, requestId: randomUUID() };
    const { status, body } = await this.requester.request(service, envelope, until);
    if (status !== 200)
      throw new Error(`${service} answered ${status} when it was asked for the root of its log`);
    return JSON.parse(body.toString()) as LogRoot;
  }
}
