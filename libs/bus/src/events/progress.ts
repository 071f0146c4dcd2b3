import type { Connection } from '../messaging/connection.js';
import { findConsumers, streamsOf } from './consumers.js';
import { STREAM } from './envelope.js';

/** The progress of a subscription in the stream. */
export interface Progress {
  /** Identifies the stream. */
  readonly stream: string;
  /** Every event up to this sequence of the stream has been handled; later ones may have been. */
  readonly handled: number;
  /** The last sequence of the stream. */
  readonly last: number;
  /** Messages that are not delivered, or delivered and not acknowledged. */
  readonly pending: number;
  /** Whether a process serves it at present. */
  readonly isServed: boolean;
}

/** The progress of the subscription with this name. For an unknown name, `handled` is 0. */
export async function progressOf(connection: Connection, name: string): Promise<Progress> {
  const streams = await streamsOf(connection);
  const { state, created: stream } = await streams.streams.info(STREAM);
  const consumers = await findConsumers(streams, name);
  const last = state.last_seq;
  if (consumers.length === 0) return { stream, handled: 0, last, pending: state.messages, isServed: false };
  // A consumer without pending messages has handled every message that was in the stream when `state` was read.
  const handled = consumers.map(({ ack_floor: floor, num_pending, num_ack_pending }) =>
    num_pending === 0 && num_ack_pending === 0 ? last : floor.stream_seq,
  );
  return {
    stream,
    handled: Math.min(...handled),
    last,
    pending: Math.max(...consumers.map((one) => one.num_pending + one.num_ack_pending)),
    isServed: consumers.some(({ push_bound: isBound }) => isBound === true),
  };
}
