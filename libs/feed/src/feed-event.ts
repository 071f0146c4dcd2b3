import { readCloudEvent, subjectOf, type CloudEvent, type PublishedEvent } from '@practice/bus';

/** An event of a practice. */
export interface FeedEvent {
  readonly service: string;
  readonly position: number;
  /** The epoch of the log. Absent if the log was never restored. */
  readonly epoch?: number;
  /** The name of the aggregate, in the singular: `appointment`. */
  readonly aggregate: string;
  /** The short name: `AppointmentScheduled`. */
  readonly type: string;
  readonly event: PublishedEvent;
  /** The envelope from the bus, with the data in the current version of the event type. */
  readonly message: CloudEvent;
}

/**
 * The event in a message of the bus.
 * @throws {EnvelopeError} when the message is not an envelope, or does not match its subject
 */
export function feedEventOf(subject: string, bytes: Uint8Array): FeedEvent {
  const event = readCloudEvent(subject, bytes);
  const { service, position, aggregate, type, schemaVersion, data } = event;
  const sent = JSON.parse(Buffer.from(bytes).toString()) as CloudEvent;
  const message = { ...sent, type: `practice.${service}.${type}.v${schemaVersion}`, data };
  const epoch = sent.epoch === undefined ? {} : { epoch: sent.epoch };
  return { service, position, ...epoch, aggregate, type, event, message };
}

/** The event in a reply from its owner. */
export function ownersEvent([aggregate, message]: readonly [string, CloudEvent]): FeedEvent {
  const [, service = '', type = ''] = message.type.split('.');
  const subject = subjectOf({ service, therapistId: message.therapistid, aggregate, type });
  return feedEventOf(subject, Buffer.from(JSON.stringify(message)));
}
