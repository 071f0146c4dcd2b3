// Limits of one client.

export const limits = {
  /** Bytes of a message from a client, with everything around its content. */
  messageBytes: 256 * 1024,
  /** Messages from a client per second, on average; a burst may have twice as many. */
  messagesPerSecond: 100,
  /** Channels of one socket. */
  channels: 100,
  /** Subscriptions to changes of one channel. */
  subscriptions: 50,
  /** Characters of a channel's name. */
  channelName: 200,
  /** Bytes that wait for a client that does not read. */
  backlogBytes: 1024 * 1024,
  /** Bytes of a presence. */
  presenceBytes: 4 * 1024,
  /** Characters of a presence key. */
  presenceKey: 200,
  /** Presences on one topic that clients of one process track. All of them together fit into a message of the bus. */
  presences: 250,
  /** Messages of one HTTP broadcast. */
  broadcastMessages: 100,
  /** Milliseconds without a message after which a socket is closed. Clients send a heartbeat every 25 s. */
  silenceMs: 60_000,
} as const;

/** Counts messages: a bucket that is refilled with time. */
export class MessageRate {
  private left = 2 * limits.messagesPerSecond;
  private at = performance.now();

  /** Whether one more message is allowed now. */
  take(now = performance.now()): boolean {
    const refill = ((now - this.at) / 1000) * limits.messagesPerSecond;
    this.left = Math.min(2 * limits.messagesPerSecond, this.left + refill);
    this.at = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
