// An event on the bus: a CloudEvents 1.0 envelope in JSON (https://github.com/cloudevents/spec), one per message.

import { currentEvent } from '@practice/contracts';
import type { Event, EventMetadata, RecordedEvent } from '@practice/core';
import { EnvelopeError } from '../messaging/envelope.js';

export { STREAM } from '@practice/contracts';

const SUBJECTS = 'practice.events';

/** The media type of a message: CloudEvents in structured mode. */
export const CONTENT_TYPE = 'application/cloudevents+json';

/** The envelope: CloudEvents' own attributes, then this product's extensions (lower case, as the standard requires). */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  /** `/practice/<service>` */
  readonly source: string;
  /** `practice.<service>.<EventType>.v<schema version>` */
  readonly type: string;
  /** The aggregate's id. */
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: object;
  readonly therapistid: string;
  readonly position: number;
  readonly streamversion: number;
  readonly epoch?: number;
  readonly traceparent?: string;
  readonly correlationid: string;
  readonly causationid?: string;
  readonly changeid?: string;
}

/** An event as other services see it: the event in the log, without its actor and its request id. */
export type PublishedEvent<Type extends string = string, Data extends object = object> = Event<Type, Data> &
  Omit<RecordedEvent, 'type' | 'data' | 'metadata'> & {
    /** The service whose log has the event; `position` counts within that log. */
    readonly service: string;
    readonly metadata: Pick<
      EventMetadata,
      'eventId' | 'correlationId' | 'causationId' | 'traceparent' | 'changeId'
    >;
  };

/** The parts of a subject. `*` in place of a part matches every value of it. */
export type SubjectParts = Readonly<Record<'service' | 'therapistId' | 'aggregate' | 'type', string>>;

/** `practice.events.<service>.<therapist_id>.<aggregate>.<EventType>`; parts that are left out become `*`. */
export function subjectOf(parts: Partial<SubjectParts>): string {
  const { service = '*', therapistId = '*', aggregate = '*', type = '*' } = parts;
  return `${SUBJECTS}.${service}.${therapistId}.${aggregate}.${type}`;
}

/** The pattern that matches the subject of every event. */
export const ALL_SUBJECTS = `${SUBJECTS}.>`;

/** The envelope of an event from `service`'s log. */
export function toCloudEvent(service: string, event: RecordedEvent): CloudEvent {
  const { eventId, traceparent, correlationId, causationId, changeId } = event.metadata;
  return {
    specversion: '1.0',
    id: eventId,
    source: `/practice/${service}`,
    type: `practice.${service}.${event.type}.v${event.schemaVersion}`,
    subject: event.streamId,
    time: event.recordedAt,
    datacontenttype: 'application/json',
    data: event.data,
    therapistid: event.therapistId,
    position: event.position,
    streamversion: event.version,
    correlationid: correlationId,
    ...(event.epoch == null ? {} : { epoch: event.epoch }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(causationId === undefined ? {} : { causationid: causationId }),
    ...(changeId === undefined ? {} : { changeid: changeId }),
  };
}

/**
 * The event in a message, in the current version of its type.
 * @throws {EnvelopeError} when the message is not an envelope, or does not match its subject
 */
export function readCloudEvent(subject: string, bytes: Uint8Array): PublishedEvent {
  const envelope = parse(bytes);
  const [, service = '', type = '', schemaVersion] =
    /^practice\.([^.]+)\.([^.]+)\.v(\d+)$/.exec(envelope.type) ?? [];
  const aggregate = subject.split('.')[4] ?? '';
  const expected = subjectOf({ service, therapistId: envelope.therapistid, aggregate, type });
  if (envelope.source !== `/practice/${service}` || subject !== expected) {
    throw new EnvelopeError(`the envelope's source, type or practice does not match ${subject}`);
  }
  const { epoch } = envelope;
  return currentEvent({
    service,
    type,
    data: envelope.data,
    therapistId: envelope.therapistid,
    position: envelope.position,
    aggregate,
    streamId: envelope.subject,
    version: envelope.streamversion,
    schemaVersion: Number(schemaVersion),
    recordedAt: envelope.time,
    metadata: metadataIn(envelope),
    ...(epoch === undefined ? {} : { epoch }),
  });
}

/** The event in a message; undefined when the message is not an event. */
export function eventIn(subject: string, bytes: Uint8Array): PublishedEvent | undefined {
  try {
    return readCloudEvent(subject, bytes);
  } catch (error) {
    if (error instanceof EnvelopeError) return undefined;
    throw error;
  }
}

function metadataIn({
  id,
  correlationid,
  traceparent,
  causationid,
  changeid,
}: CloudEvent): PublishedEvent['metadata'] {
  return {
    eventId: id,
    correlationId: correlationid,
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(causationid === undefined ? {} : { causationId: causationid }),
    ...(changeid === undefined ? {} : { changeId: changeid }),
  };
}

type Check = readonly [
  names: readonly (keyof CloudEvent)[],
  isRight: (value: unknown) => boolean,
  wrong: string,
];

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const CHECKS: readonly Check[] = [
  [['specversion'], (value) => value === '1.0', 'is not 1.0'],
  [['id', 'source', 'type', 'subject', 'time', 'therapistid', 'correlationid'], isText, 'is no text'],
  [['traceparent', 'causationid', 'changeid'], (value) => value === undefined || isText(value), 'is no text'],
  [
    ['position', 'streamversion'],
    (value) => Number.isSafeInteger(value) && Number(value) > 0,
    'is no positive integer',
  ],
  [['epoch'], (value) => value === undefined || Number.isSafeInteger(value), 'is no integer'],
  [['data'], isObject, 'is no object'],
];

function parse(bytes: Uint8Array): CloudEvent {
  const value = parseObject(bytes);
  for (const [names, isRight, wrong] of CHECKS) {
    for (const name of names) {
      if (!isRight(value[name])) throw new EnvelopeError(`'${name}' ${wrong}`);
    }
  }
  return value as unknown as CloudEvent;
}

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new EnvelopeError('not JSON');
  }
  if (!isObject(value)) throw new EnvelopeError('no JSON object');
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
