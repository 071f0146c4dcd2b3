import type { EventMetadata } from '@practice/core';
import { v7 as uuidv7 } from 'uuid';
import type { PublishedEvent } from '@practice/events';
import type { Origin } from './write.command.js';

/** Makes the metadata of a request's events, each with an id of its own. */
export const metadataOf =
  ({
    therapistId,
    requestId,
    traceparent,
  }: Pick<Origin, 'therapistId' | 'requestId' | 'traceparent'>): (() => EventMetadata) =>
  () => ({
    eventId: uuidv7(),
    actor: therapistId,
    requestId,
    correlationId: requestId,
    ...(traceparent === undefined ? {} : { traceparent }),
  });

/** Makes the metadata of events that an event of another service led to. */
export const policyMetadata =
  ({ service, metadata: { eventId, correlationId, traceparent } }: PublishedEvent): (() => EventMetadata) =>
  () => ({
    eventId: uuidv7(),
    actor: `event of ${service}`,
    requestId: correlationId,
    correlationId,
    causationId: eventId,
    ...(traceparent === undefined ? {} : { traceparent }),
  });
