// A message of a Phoenix channel, whatever its form on the wire.

/** `topic` is the whole one, such as `realtime:room`. */
export interface Message {
  /** Names the join that the message belongs to. */
  readonly joinRef: string | null;
  /** Names the message: the reply has the same. */
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

/** The bytes are not a message of the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/**
 * A value of a client as JSON.
 * @throws {ProtocolError} for one that is nested too deeply to be written
 */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new ProtocolError('the payload is nested too deeply');
  }
}

export const EVENTS = {
  join: 'phx_join',
  reply: 'phx_reply',
  leave: 'phx_leave',
  close: 'phx_close',
  error: 'phx_error',
  heartbeat: 'heartbeat',
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
