// Hands deliveries to the handler: each practice's in order, different practices at the same time.

import type { Connection } from '@practice/messaging';
import { bind } from './binding.js';
import type { BindOptions } from './binding.js';
import { ACK_WAIT_MS } from './claim.js';
import type { Delivery } from './delivery.js';
import { EnvelopeError, readCloudEvent } from './envelope.js';
import type { PublishedEvent } from './envelope.js';
import { createLanes } from './lanes.js';
import type { Lanes } from './lanes.js';
import { matches } from './subjects.js';

export interface ServeOptions extends Omit<BindOptions, 'deliver'> {
  readonly connection: Connection;
  /** Whether the handler wants events of this type. */
  readonly wants: (type: string) => boolean;
  readonly handler: (event: PublishedEvent) => Promise<void> | void;
  readonly batch: ((events: readonly PublishedEvent[]) => Promise<readonly boolean[]>) | undefined;
  readonly concurrency: number;
  readonly retryAfter: (failures: number) => number;
}

/** The time in which this process is served. */
export interface Served {
  /** Resolves when it is over, other than by `end`. */
  readonly lost: Promise<void>;
  /** Resolves when the handlers at work have finished. */
  end(): Promise<void>;
}

interface Accepted {
  readonly delivery: Delivery;
  readonly event: PublishedEvent;
}

interface Desk extends ServeOptions {
  /** Deliveries not yet acknowledged, by their place in the stream. */
  readonly held: Map<number, Delivery>;
  readonly lanes: Lanes<Accepted>;
}

/** @returns nothing while another process is served */
export async function serve(options: ServeOptions): Promise<Served | undefined> {
  const held = new Map<number, Delivery>();
  const lanes = lanesOf(options, held);
  const desk: Desk = { ...options, held, lanes };
  const binding = await bind({ ...options, deliver: (delivery) => accept(desk, delivery) });
  if (binding === undefined) return undefined;
  // What waits behind others must not be repeated meanwhile.
  const keepHeld = setInterval(() => held.forEach((delivery) => delivery.working()), ACK_WAIT_MS / 3).unref();
  return {
    lost: binding.lost,
    async end() {
      binding.release();
      await lanes.stop();
      clearInterval(keepHeld);
    },
  };
}

/** The most events at once, and how long they gather: long enough to be some when there are hundreds a second. */
const BATCH = { limit: 250, everyMs: 20 };

function lanesOf(
  { connection, claim, batch, ...options }: ServeOptions,
  held: Map<number, Delivery>,
): Lanes<Accepted> {
  const acknowledge = (delivery: Delivery): void => {
    held.delete(delivery.streamSequence);
    delivery.ack();
  };
  const workTogether =
    batch &&
    (async (accepted: readonly Accepted[]): Promise<readonly boolean[]> => {
      const done = await batch(accepted.map(({ event }) => event));
      accepted.forEach(({ delivery }, index) => done[index] === true && acknowledge(delivery));
      return done;
    });
  return createLanes({
    concurrency: options.concurrency,
    work: async ({ delivery, event }) => {
      await options.handler(event);
      acknowledge(delivery);
    },
    together: workTogether && {
      work: workTogether,
      failed: (err) =>
        connection.logger.warn({ subscription: claim.name, err }, 'events are handled one by one'),
      ...BATCH,
    },
    failed: ({ event }, failures, err) => {
      const again = options.retryAfter(failures);
      const what = { subscription: claim.name, event: event.type, eventId: event.metadata.eventId };
      connection.logger.warn(
        { ...what, err, failures, again },
        'an event could not be handled; it is tried again',
      );
      return again;
    },
  });
}

/** Puts a delivery into its practice's lane, unless it is none that was asked for. */
function accept({ connection, claim, wants, held, lanes }: Desk, delivery: Delivery): void {
  if (held.has(delivery.streamSequence)) return;
  if (!claim.subjects.some((pattern) => matches(pattern, delivery.subject))) return delivery.ack();
  try {
    const event = readCloudEvent(delivery.subject, delivery.data);
    if (!wants(event.type)) return delivery.ack();
    held.set(delivery.streamSequence, delivery);
    lanes.add(event.therapistId, { delivery, event });
  } catch (err) {
    if (!(err instanceof EnvelopeError)) throw err;
    // It would never become readable; waiting for it would stop everything behind it.
    connection.logger.error({ err, subject: delivery.subject }, 'a message is no event, and was discarded');
    delivery.discard();
  }
}
