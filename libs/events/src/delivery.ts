// A message as a JetStream consumer delivers it. Where it stands and how to acknowledge it is in its reply subject
// (`$JS.ACK.…`, nats-architecture-and-design ADR-15).

import type { Msg } from '@nats-io/transport-node';

export interface Delivery {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Position in the stream. */
  readonly streamSequence: number;
  /** Counts this consumer's deliveries, without gaps: a gap means that one was lost on the way. */
  readonly deliverySequence: number;
  readonly redelivered: boolean;
  /** Done: it will not come again. */
  ack(): void;
  /** Still in work: the time to acknowledge it starts anew. */
  working(): void;
  /** Never deliver it again, though it was not handled. */
  discard(): void;
}

const ACK = Buffer.from('+ACK');
const WORKING = Buffer.from('+WPI');
const TERMINATE = Buffer.from('+TERM');

/** @returns nothing for a message that is no delivery: a status of the server */
export function readDelivery(message: Msg): Delivery | undefined {
  const tokens = (message.reply ?? '').split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK') return undefined;
  // Newer servers put domain and account before the stream's name.
  const at = tokens.length >= 11 ? 6 : 4;
  return {
    subject: message.subject,
    data: message.data,
    redelivered: Number(tokens[at]) > 1,
    streamSequence: Number(tokens[at + 1]),
    deliverySequence: Number(tokens[at + 2]),
    ack: () => respond(message, ACK),
    working: () => respond(message, WORKING),
    discard: () => respond(message, TERMINATE),
  };
}

/** An acknowledgement that cannot be sent means a repeated delivery, which is no failure of what was done. */
function respond(message: Msg, acknowledgement: Uint8Array): void {
  try {
    message.respond(acknowledgement);
  } catch {
    // The connection is closed.
  }
}
