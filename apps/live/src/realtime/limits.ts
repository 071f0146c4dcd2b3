// Limits of one client, of one practice, and of the process. docs/api/events.md lists them for callers.

const KIB = 1024;
const MIB = 1024 * KIB;

export const limits = {
  /** Bytes of a message from a client, including its envelope. */
  messageBytes: 256 * KIB,
  /** Messages from a client per second, on average. A burst may have twice as many. */
  messagesPerSecond: 100,
  /** Channels of one socket. */
  channels: 100,
  /** Subscriptions to changes of one channel. */
  subscriptions: 50,
  /** Characters of a filter of changes. */
  filterCharacters: 4096,
  /** Conditions of a filter. */
  conditions: 20,
  /** Characters of a pattern in a filter. */
  patternCharacters: 250,
  /** Values of a list in a filter. */
  listedValues: 100,
  /** Characters of a channel's name. */
  channelName: 200,
  /** Bytes that wait for a client that does not read. */
  backlogBytes: MIB,
  /** Bytes of a presence. */
  presenceBytes: 4 * KIB,
  /** Characters of a presence key. */
  presenceKey: 200,
  /** Presences on one topic that clients of one process track. All of them fit into one message of the bus. */
  presences: 250,
  /** Messages of one HTTP broadcast. */
  broadcastMessages: 100,
  /** Milliseconds without a message after which a socket is closed. Clients send a heartbeat every 25 s. */
  silenceMs: 60_000,
  /** Milliseconds that a client has to answer when this process stops and closes its socket. */
  closingMs: 2_000,
} as const;

/** Limits of one practice at one process. */
export const practiceLimits = {
  /** Sockets of one member. */
  socketsOfMember: 50,
  sockets: 500,
  channels: 5_000,
  /** Joins per second, on average. A burst may have ten times as many, for example when all clients reconnect. */
  joinsPerSecond: 100,
  /** Bytes of JSON of all subscriptions to changes, with their filters. */
  subscriptionBytes: MIB,
  presences: 1_000,
  /** Bytes per second, on average: of messages from clients, of broadcasts to clients, and of changes to clients. */
  bytesPerSecond: 8 * MIB,
  /** The minimum number of bytes that a message counts as: a small message costs time as well. */
  leastBytes: KIB,
  /** Bytes of each kind in a burst. */
  burstBytes: 32 * MIB,
  /** Bytes that wait for clients. */
  backlogBytes: 16 * MIB,
  /** Bytes of messages of the bus that wait for their turn. */
  queuedBytes: 8 * MIB,
} as const;

/** Bytes that wait for all clients of the process. */
export const PROCESS_BACKLOG_BYTES = 128 * MIB;
