import { newId, type Actor, type EventMetadata, type Identity } from '@practice/core';
import type { PublishedEvent } from '@practice/bus';
import type { Origin } from './write.command.js';

/** Metadata of events without the change that they are part of, which is known once the practice is locked. */
export type ChangeMetadata = Omit<EventMetadata, 'changeId'>;

/**
 * Returns a function that makes the metadata of a request's events. Each has an id of its own; the rest is the same for all events.
 * @param by the caller; undefined if no user is signed in yet, as at a sign-up
 */
export function metadataOf(
  { requestId, traceparent, reason }: Pick<Origin, 'requestId' | 'traceparent' | 'reason'>,
  by: Identity | undefined,
): () => ChangeMetadata {
  const shared = {
    actor: by === undefined ? { kind: 'system' as const } : actorOf(by),
    ...given({ sessionId: by?.sessionId, tokenId: by?.tokenId, oauthClientId: by?.oauthClientId }),
    ...given({ address: by?.address, reason }),
    ...{ requestId, correlationId: requestId },
    ...given({ traceparent }),
  };
  return () => Object.assign({ eventId: newId() }, shared);
}

/** The actor of a request. Through an OAuth client, the actor is the user, under the name of the client's token. */
function actorOf({ userId, userName, tokenId, tokenName, oauthClientId }: Identity): Actor {
  if (oauthClientId !== undefined) return { kind: 'user', id: userId, ...given({ name: tokenName }) };
  return tokenId === undefined
    ? { kind: 'user', id: userId, ...given({ name: userName }) }
    : { kind: 'token', id: userId, ...given({ name: tokenName }) };
}

/** Makes the metadata of events that a policy decides in reaction to an event of another service. */
export const policyMetadata =
  ({ metadata: { eventId, correlationId, traceparent, changeId } }: PublishedEvent) =>
  (policy: string): ChangeMetadata => ({
    eventId: newId(),
    actor: { kind: 'policy', name: policy },
    requestId: correlationId,
    correlationId,
    causationId: eventId,
    ...given({ causedBy: changeId, traceparent }),
  });

/** Without the members that are undefined. It is a loop, because it runs for each write: `Object.fromEntries` takes four times as long. */
function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const name in members)
    if (members[name] !== undefined) kept[name] = members[name] as Exclude<T[typeof name], undefined>;
  return kept;
}
