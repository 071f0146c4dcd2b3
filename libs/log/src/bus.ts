// The bus, as the relay and a refill use it.

import type { RecordedEvent } from '@practice/core';
import type { NotedMessage, PublishedMessage } from './published.js';

/**
 * Publishes events, in order within a practice.
 * @returns for each event its message in the stream, or null if it was not acknowledged
 */
export type Publish = (events: readonly RecordedEvent[]) => Promise<readonly (PublishedMessage | null)[]>;

/** The stream that the relay publishes to. */
export interface Bus {
  readonly publish: Publish;
  /** Makes the stream if it does not exist. */
  prepare(): Promise<void>;
  /** Whether the stream still has a message, or has kept it for its full retention time. */
  holds(message: NotedMessage): Promise<boolean>;
  /** The number of times that the connection was lost. After each loss, the stream may be another one. */
  interruptions(): number;
}
