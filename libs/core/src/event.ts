/** A fact, in the past tense. Plain data: events have no classes. */
export interface Event<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** Where an event came from, kept beside it for ever. */
export interface EventMetadata {
  /** UUIDv7; also the message id on the bus, so a redelivery can be recognised. */
  readonly eventId: string;
  /** The user (or the policy) that caused it. */
  readonly actor: string;
  readonly requestId: string;
  readonly correlationId: string;
  readonly causationId?: string;
  /** W3C trace context of the request. */
  readonly traceparent?: string;
}

/** An event as the log holds it. */
export interface RecordedEvent extends Event {
  readonly therapistId: string;
  /** 1, 2, 3 … within the practice's log: commit order, without gaps. */
  readonly position: number;
  /** The aggregate's category, singular and kebab- or snake-case: `appointment`. */
  readonly aggregate: string;
  readonly streamId: string;
  /** 1, 2, 3 … within the stream; unique, so no two writers can both append version n. */
  readonly version: number;
  /** The version of its type: which shape `data` have. 1, 2, 3 …; the definition has an upcaster for each earlier one. */
  readonly schemaVersion: number;
  readonly metadata: EventMetadata;
  /** ISO 8601 in UTC, microseconds at most. */
  readonly recordedAt: string;
}
