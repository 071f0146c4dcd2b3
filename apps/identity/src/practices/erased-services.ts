import { randomUUID } from 'node:crypto';
import { ERASE_FROM_BUS, ERASED_PART } from '@practice/contracts';
import type { ErasedPart, ErasureQuestion } from '@practice/contracts';
import { createRequester } from '@practice/bus';
import type { Connection, InPractice, Requester } from '@practice/bus';

/** A service reads all messages of the practice on the bus. */
const ANSWER_WITHIN_MS = 120_000;

/** Asks the other services about their parts of the erasure of a practice. */
export class ErasedServices {
  private readonly requester: Requester;

  constructor(connection: Connection) {
    this.requester = createRequester({ connection, user: 'identity', timeoutMs: ANSWER_WITHIN_MS });
  }

  /** Whether a service has erased its part. @throws {Error} if the service is unavailable or fails */
  async hasErased(service: string, therapistId: string): Promise<boolean> {
    return (await this.ask<ErasedPart | null>(service, ERASED_PART, therapistId)) !== null;
  }

  /** Has a service erase what the bus still has of its events. @throws {Error} if the service is unavailable or fails */
  async eraseFromBus(service: string, therapistId: string): Promise<void> {
    await this.ask(service, ERASE_FROM_BUS, therapistId);
  }

  private async ask<T>(service: string, op: string, therapistId: string): Promise<T> {
    const envelope = { op, therapistId, requestId: randomUUID() };
    const question: ErasureQuestion = { clientId: therapistId };
    const { status, body } = await this.requester.request<InPractice>(
      service,
      envelope,
      JSON.stringify(question),
    );
    if (status !== 200) throw new Error(`${service} answered ${status} to ${op}`);
    return JSON.parse(body.toString()) as T;
  }
}
