/** A fact, in the past tense. Plain data: events have no classes. */
export interface Event<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** Who did something: a signed-in user, a personal access token, a policy, or the system itself (a sign-up, a repair). */
export interface Actor {
  readonly kind: 'user' | 'token' | 'policy' | 'system';
  /** The user; for a token its owner. A policy and the system have none. */
  readonly id?: string;
  /** The name at that time: of the user, of the token, or of the policy. */
  readonly name?: string;
}

/** The origin of an event, stored with it for ever. Members were added over time, so earlier events lack some of them. */
export interface EventMetadata {
  /** UUIDv7. It is also the message id on the bus, so that consumers can detect a redelivery. */
  readonly eventId: string;
  readonly actor: Actor;
  readonly sessionId?: string;
  readonly tokenId?: string;
  /** The OAuth client through which the user acted. */
  readonly oauthClientId?: string;
  /** The caller's network address. */
  readonly address?: string;
  readonly requestId: string;
  readonly correlationId: string;
  readonly causationId?: string;
  /** The change that the event is part of. It has all events of one write, see `changeIdOf`. */
  readonly changeId?: string;
  /** The change of another service that a policy reacted to. */
  readonly causedBy?: string;
  /** The change that this change undoes. */
  readonly undoes?: string;
  /** The reason for the change, in the caller's words. */
  readonly reason?: string;
  /** W3C trace context of the request. */
  readonly traceparent?: string;
}

/** The id of a change: the service, and the position of its first event in the practice's log. */
export const changeIdOf = (service: string, position: number): string => `${service}:${position}`;

/** An event as the log stores it. */
export interface RecordedEvent extends Event {
  readonly therapistId: string;
  /** 1, 2, 3 … within the practice's log: commit order, without gaps. */
  readonly position: number;
  /** The aggregate's category, singular and kebab- or snake-case: `appointment`. */
  readonly aggregate: string;
  readonly streamId: string;
  /** 1, 2, 3 … within the stream; unique, so no two writers can both append version n. */
  readonly version: number;
  /** The version of the shape of `data`: 1, 2, 3 … The definition has an upcaster for each earlier version. */
  readonly schemaVersion: number;
  readonly metadata: EventMetadata;
  /** The epoch of the practice's log in which the event was appended; absent before the first restore of the log from an older copy. */
  readonly epoch?: number | null;
  /** ISO 8601 in UTC, with at most microseconds. */
  readonly recordedAt: string;
}
