// A message of a Phoenix channel, independent of its form on the wire.

import { jsonIn, type Steps } from '@practice/core';
import { limits } from '@practice/query';

/** A message. `topic` includes the prefix, as in `realtime:room`. */
export interface Message {
  /** Names the join that the message belongs to. */
  readonly joinRef: string | null;
  /** Names the message. The reply has the same `ref`. */
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
  /** The broadcast of a binary frame, which has no payload. */
  readonly broadcast?: Broadcast;
}

/** The content of a broadcast: the text of a JSON value, or bytes that are passed on unread. */
export type BroadcastContent =
  | { readonly encoding: 'json'; readonly json: string }
  | { readonly encoding: 'binary'; readonly bytes: Buffer };

/** A broadcast of a channel. */
export interface Broadcast {
  readonly event: string;
  readonly content: BroadcastContent;
}

/**
 * The value of a client's JSON.
 * @throws {SyntaxError} for a text that is not JSON or nested too deep
 */
export const valueIn = (bytes: Buffer): Steps<unknown> =>
  jsonIn(bytes.toString(), { depth: limits.bodyDepth, rounds: true });

export const EVENTS = {
  join: 'phx_join',
  reply: 'phx_reply',
  leave: 'phx_leave',
  close: 'phx_close',
  accessToken: 'access_token',
  system: 'system',
  broadcast: 'broadcast',
  presence: 'presence',
  presenceState: 'presence_state',
  presenceDiff: 'presence_diff',
  postgresChanges: 'postgres_changes',
} as const;

/** The topic of messages about the socket itself. */
export const SOCKET_TOPIC = 'phoenix';

const PREFIX = 'realtime:';

/** The name of a channel without the prefix of its topic; undefined for another topic. */
export const channelName = (topic: string): string | undefined =>
  topic.length > PREFIX.length && topic.startsWith(PREFIX) ? topic.slice(PREFIX.length) : undefined;

/** The topic of a channel. */
export const topicOf = (name: string): string => PREFIX + name;

// The payload of phx_join. As in Supabase's server, a member that is missing or malformed gets its default value.

export type JoinConfig = ReturnType<typeof readJoin>;

type Members = Readonly<Record<string, unknown>>;

/** Reads the payload of a join. */
export function readJoin(payload: unknown) {
  const { config, access_token: accessToken } = membersOf(payload);
  const { broadcast, presence, postgres_changes: changes, ...others } = membersOf(config);
  const { self, ack, replication_ready: replicationReady } = membersOf(broadcast);
  const { key, enabled } = membersOf(presence);
  return {
    /** The caller's token; undefined if the client sent none. */
    accessToken: typeof accessToken === 'string' ? accessToken : undefined,
    broadcast: { self: isTrue(self), ack: isTrue(ack), replicationReady: isTrue(replicationReady) },
    /** Whether a refused subscription to changes refuses the join. */
    waits: isTrue(membersOf(others['postgres_changes_options'])['wait']),
    presence: { key: typeof key === 'string' ? key : '', enabled: isTrue(enabled) },
    /** The subscriptions as the client sent them: the reply repeats them. */
    changes: Array.isArray(changes) ? changes.filter((each) => each !== null).map(membersOf) : [],
  };
}

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a JSON object; an empty object for any other value. */
export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** The broadcast in a client's message: from a binary frame, or `{ event, payload }` in JSON. */
export function broadcastOf({ broadcast, payload }: Message): Broadcast {
  if (broadcast !== undefined) return broadcast;
  const { event, payload: json = {} } = membersOf(payload);
  return {
    event: typeof event === 'string' ? event : '',
    content: { encoding: 'json', json: JSON.stringify(json) },
  };
}
