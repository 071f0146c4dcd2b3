// A message that a JetStream consumer has delivered. Its reply subject contains its position and is the subject for acknowledgements
// (`$JS.ACK.…`, nats-architecture-and-design ADR-15).

import type { Msg } from '@nats-io/transport-node';

export interface Delivery {
  readonly subject: string;
  readonly data: Uint8Array;
  /** The position of the message in the stream. */
  readonly streamSequence: number;
  /** The number of this delivery among the consumer's deliveries. A gap means that a delivery was lost on the way. */
  readonly deliverySequence: number;
  readonly redelivered: boolean;
  /** Reports that the message is handled. It is not delivered again. */
  ack(): void;
  /** Reports that the message is still being handled. The time to acknowledge it starts again. */
  working(): void;
}

const ACK = Buffer.from('+ACK');
const WORKING = Buffer.from('+WPI');

/** The delivery in a message; undefined for a status message of the server. */
export function readDelivery(message: Msg): Delivery | undefined {
  const tokens = (message.reply ?? '').split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK') return undefined;
  // Newer servers put the domain and the account before the stream's name.
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

/** Sends an acknowledgement. If it cannot be sent, the message is delivered again, and its effect is not undone. */
function respond(message: Msg, acknowledgement: Uint8Array): void {
  try {
    message.respond(acknowledgement);
  } catch {
    // The connection is closed.
  }
}
