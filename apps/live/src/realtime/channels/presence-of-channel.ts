// The presence of one channel: its client tracks one payload at a time.

import { limits } from '../limits.js';
import { isObject, membersOf } from '../protocol/message.js';
import { tooManyBytes } from './reasons.js';
import type { Topic } from './topic.js';

export class PresenceOfChannel {
  private reference: string | undefined;
  /** The JSON of the tracked payload. */
  private tracked: string | undefined;

  /** @param key groups presences, such as the devices of one user */
  constructor(
    private readonly topic: Topic,
    private readonly key: string,
  ) {}

  /**
   * Handles a message about presence: `track` with a payload, or `untrack`.
   * @returns an error for the client
   */
  handle(message: unknown): string | undefined {
    const { event, payload = {} } = membersOf(message);
    const wanted = typeof event === 'string' ? event.toLowerCase() : '';
    if (wanted === 'untrack') return void this.close();
    if (wanted !== 'track') return 'Unknown presence event';
    return isObject(payload) ? this.track(payload) : 'Presence track payload must be a map';
  }

  /** The client is no longer present. */
  close(): void {
    if (this.reference !== undefined) this.topic.untrack(this.reference);
    this.reference = undefined;
    this.tracked = undefined;
  }

  private track(payload: Readonly<Record<string, unknown>>): string | undefined {
    const text = JSON.stringify(payload);
    if (Buffer.byteLength(text) > limits.presenceBytes) return 'Track message size exceeded';
    if (text === this.tracked) return undefined;
    if (!this.topic.takes(Buffer.byteLength(text))) return tooManyBytes;
    const previous = this.reference === undefined ? {} : { previous: this.reference };
    const reference = this.topic.track({ key: this.key, payload, ...previous });
    if (reference === undefined) return 'Too many presences';
    this.reference = reference;
    this.tracked = text;
    return undefined;
  }
}
