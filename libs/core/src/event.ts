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

/** Where an event came from, kept beside it for ever. Members were added over time, so earlier events lack some of them. */
export interface EventMetadata {
  /** UUIDv7; also the message id on the bus, so a redelivery can be recognised. */
  readonly eventId: string;
  readonly actor: Actor;
  readonly sessionId?: string;
  readonly tokenId?: string;
  /** The OAuth client through which the user did it. */
  readonly oauthClientId?: string;
  /** The caller's network address. */
  readonly address?: string;
  readonly requestId: string;
  readonly correlationId: string;
  readonly causationId?: string;
  /** The change that it is part of: all events of one write, see `changeIdOf`. */
  readonly changeId?: string;
  /** The change of another service that a policy reacted to. */
  readonly causedBy?: string;
  /** The change that this one takes back. */
  readonly undoes?: string;
  /** Why, in the caller's words. */
  readonly reason?: string;
  /** W3C trace context of the request. */
  readonly traceparent?: string;
}

/** The id of a change: the service, and the position of its first event in the practice's log. */
export const changeIdOf = (service: string, position: number): string => `${service}:${position}`;

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
  /** The epoch of the practice's log in which it was appended; absent before the log was first restored from an older copy. */
  readonly epoch?: number | null;
  /** ISO 8601 in UTC, microseconds at most. */
  readonly recordedAt: string;
}
