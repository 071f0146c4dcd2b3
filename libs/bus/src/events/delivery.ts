// A message as a JetStream consumer delivers it. Its position, and the way to acknowledge it, are in its reply subject
// (`$JS.ACK.…`, nats-architecture-and-design ADR-15).

import type { Msg } from '@nats-io/transport-node';

export interface Delivery {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Position in the stream. */
  readonly streamSequence: number;
  /** Counts this consumer's deliveries without gaps: a gap means that one was lost on the way. */
  readonly deliverySequence: number;
  readonly redelivered: boolean;
  /** The message is handled: it is not delivered again. */
  ack(): void;
  /** The message is still being handled: the time to acknowledge it starts again. */
  working(): void;
}

const ACK = Buffer.from('+ACK');
const WORKING = Buffer.from('+WPI');

/** @returns undefined for a status message of the server, which is not a delivery */
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
  };
}

/** If an acknowledgement cannot be sent, the message is delivered again; its effect is not undone. */
function respond(message: Msg, acknowledgement: Uint8Array): void {
  try {
    message.respond(acknowledgement);
  } catch {
    // The connection is closed.
  }
}
