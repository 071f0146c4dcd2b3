// The questions of an erasure to other services.

import { randomUUID } from 'node:crypto';
import { CERTIFY_ERASURE, ERASE_FROM_BUS, ERASED_PART } from '@practice/contracts';
import type { Certificate, ErasedPart } from '@practice/contracts';
import { reject, type Problem } from '@practice/core';
import { createRequester, type Connection, type InPractice, type Requester } from '@practice/bus';

/** A service reads all messages of the practice on the bus. */
const ANSWER_WITHIN_MS = 120_000;

export class OtherServices {
  private readonly requester: Requester;

  constructor(connection: Connection) {
    this.requester = createRequester({ connection, user: 'clients', timeoutMs: ANSWER_WITHIN_MS });
  }

  /** A service's part of an erasure; null if it is not done. */
  erasedPart(service: string, therapistId: string, clientId: string): Promise<ErasedPart | null> {
    return this.ask(service, { op: ERASED_PART, therapistId }, { clientId });
  }

  /** Has a service erase what the bus still has of its events. */
  async eraseFromBus(service: string, therapistId: string, clientId: string): Promise<void> {
    await this.ask(service, { op: ERASE_FROM_BUS, therapistId }, { clientId });
  }

  /** Ends the archives of the practice, and signs. */
  certify(therapistId: string, claims: object): Promise<Certificate> {
    return this.ask('identity', { op: CERTIFY_ERASURE, therapistId }, claims);
  }

  private async ask<T>(
    service: string,
    { op, therapistId }: { readonly op: string; readonly therapistId: string },
    question: object,
  ): Promise<T> {
    const envelope = { op, therapistId, requestId: randomUUID() };
    const reply = await this.requester.request<InPractice>(service, envelope, JSON.stringify(question));
    const answer = JSON.parse(reply.body.toString()) as unknown;
    if (reply.status !== 200) reject({ ...(answer as Problem), status: reply.status });
    return answer as T;
  }
}
