// The practice behind an account: what becomes known of it to everyone, as events of its own stream.

import { practice } from '@practice/contracts';
import type { PracticeEvents } from '@practice/contracts';
import type { Event } from '@practice/core';
import { appendEvents, lockPractice, openPractice, run, streamVersions } from '@practice/event-store';
import { versionOf } from '@practice/resource';
import type { ClientBase } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { RequestTrace } from './auth-body.js';

/** A practice exists from now on. What it is called by is the address its owner signs in with. */
export type PracticeOpened = Event<'PracticeOpened', PracticeEvents['PracticeOpened']>;

/** The owner signs in with another address from now on. */
export type PracticeContactChanged = Event<
  'PracticeContactChanged',
  PracticeEvents['PracticeContactChanged']
>;

/** When, and on whose request, something happened to a practice. */
export interface Occasion {
  readonly therapistId: string;
  readonly at: Date;
  readonly trace: RequestTrace;
}

const SERVICE = 'gateway';
const AGGREGATE = 'practice';

/** The first fact of every practice. */
export const practiceOpened = (email: string): PracticeOpened => ({
  type: 'PracticeOpened',
  data: { email },
});

export const practiceContactChanged = (email: string): PracticeContactChanged => ({
  type: 'PracticeContactChanged',
  data: { email },
});

/** Appends to the log of the practice that the transaction acts for, next to what the log holds of it. */
export async function record(
  client: ClientBase,
  event: PracticeOpened | PracticeContactChanged,
  { therapistId, at, trace: { requestId, traceparent } }: Occasion,
): Promise<void> {
  const log = { service: SERVICE, therapistId };
  await run(client, openPractice(SERVICE, therapistId));
  const [head] = await run(client, lockPractice(SERVICE, therapistId));
  const [stream] = await run(client, streamVersions(log, AGGREGATE, [therapistId]));
  const next = {
    ...event,
    aggregate: AGGREGATE,
    streamId: therapistId,
    version: Number(stream?.[1] ?? 0) + 1,
    schemaVersion: versionOf(practice, event.type),
    recordedAt: at.toISOString(),
    metadata: {
      eventId: uuidv7(),
      actor: therapistId,
      requestId,
      correlationId: requestId,
      ...(traceparent === undefined ? {} : { traceparent }),
    },
  };
  await run(client, appendEvents({ ...log, position: Number(head?.[0] ?? 0) }, [next]));
}
