// The requests of an erasure to other services.

import { randomUUID } from 'node:crypto';
import { CERTIFY_ERASURE, ERASE_FROM_BUS, ERASED_PART } from '@practice/contracts';
import type { Certificate, CertificateClaims, ErasedPart } from '@practice/contracts';
import { reject, type OutgoingEnvelope, type Problem } from '@practice/core';
import { createRequester, type Connection, type InPractice, type Requester } from '@practice/bus';

const ANSWER_WITHIN_MS = 10_000;
/** Longer, because the service reads all messages of the practice on the bus. */
const ERASED_FROM_BUS_WITHIN_MS = 120_000;

export class OtherServices {
  private readonly requester: Requester;

  constructor(connection: Connection) {
    const timeoutMs = ({ op }: OutgoingEnvelope): number =>
      op === ERASE_FROM_BUS ? ERASED_FROM_BUS_WITHIN_MS : ANSWER_WITHIN_MS;
    this.requester = createRequester({ connection, user: 'clients', timeoutMs });
  }

  /** The part of a service in an erasure; null if it is not done. */
  erasedPart(service: string, therapistId: string, clientId: string): Promise<ErasedPart | null> {
    return this.ask(service, { op: ERASED_PART, therapistId }, { clientId });
  }

  /** Makes a service erase its events that are still on the bus. */
  async eraseFromBus(service: string, therapistId: string, clientId: string): Promise<void> {
    await this.ask(service, { op: ERASE_FROM_BUS, therapistId }, { clientId });
  }

  /** Makes identity end the archives of the practice and sign the certificate. */
  certify(therapistId: string, claims: CertificateClaims): Promise<Certificate> {
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
