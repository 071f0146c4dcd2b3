import { randomUUID } from 'node:crypto';
import { ERASE_FROM_BUS, ERASED_PART, LOG_ROOT } from '@practice/contracts';
import type { ErasureQuestion } from '@practice/contracts';
import type { LogRoot } from '@practice/log';
import { createRequester, type Connection, type Requester } from '@practice/bus';

/** Long, because a service reads a row for each practice, or all messages of a practice on the bus. */
const RESPONDS_WITHIN_MS = 120_000;

/** Asks the other services. Each method throws an `Error` if the service is unavailable or fails. */
export class OtherServices {
  private readonly requester: Requester;

  constructor(connection: Connection) {
    this.requester = createRequester({ connection, user: 'identity', timeoutMs: RESPONDS_WITHIN_MS });
  }

  /** The root of the service's log. */
  logRoot(service: string, until: string): Promise<LogRoot> {
    return this.ask(service, { op: LOG_ROOT }, until);
  }

  /** Whether a service has erased its part of a practice. */
  async hasErased(service: string, therapistId: string): Promise<boolean> {
    return (await this.ask(service, { op: ERASED_PART, therapistId }, of(therapistId))) !== null;
  }

  /** Makes a service erase its events of a practice from the bus. */
  async eraseFromBus(service: string, therapistId: string): Promise<void> {
    await this.ask(service, { op: ERASE_FROM_BUS, therapistId }, of(therapistId));
  }

  private async ask<T>(
    service: string,
    question: { readonly op: string; readonly therapistId?: string },
    text: string,
  ): Promise<T> {
    const envelope = { ...question, requestId: randomUUID() };
    const { status, body } = await this.requester.request(service, envelope, text);
    if (status !== 200) throw new Error(`${service} responded ${status} to ${question.op}`);
    return JSON.parse(body.toString()) as T;
  }
}

/** A question about a whole practice: `clientId` is the id of the practice itself. */
const of = (therapistId: string): string =>
  JSON.stringify({ clientId: therapistId } satisfies ErasureQuestion);
