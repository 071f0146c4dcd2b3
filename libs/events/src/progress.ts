import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { Connection } from '@practice/messaging';
import { STREAM } from './envelope.js';

/** How far a subscription has got. */
export interface Progress {
  /** Every event up to this sequence of the stream has been handled; later ones may have been. */
  readonly handled: number;
  /** Whether a process serves it at present. */
  readonly isServed: boolean;
}

/** The progress of the subscription of this name; nothing has been handled under a name that is not known. */
export async function progressOf({ nats }: Connection, name: string): Promise<Progress> {
  const streams = await jetstreamManager(nats, { checkAPI: false });
  try {
    const { ack_floor: floor, push_bound: isServed } = await streams.consumers.info(STREAM, name);
    return { handled: floor.stream_seq, isServed: isServed === true };
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound)
      return { handled: 0, isServed: false };
    throw error;
  }
}
