// A durable subscription. Delivery is at least once, in order per practice, and to one process at a time.

import type { PracticeEvents } from '@practice/contracts';
import type { Connection } from '../messaging/connection.js';
import { streamsOf, type Start } from './consumers.js';
import type { PublishedEvent } from './envelope.js';
import { eventSubjects } from './event-subjects.js';
import { OwnerUnavailable } from './past.js';
import { serve, type ServeOptions, type Session } from './serve.js';

/** The union of these events. `type` discriminates it. */
export type EventOf<Events, Type extends keyof Events = keyof Events> = {
  [T in Type & string]: PublishedEvent<T, Events[T] & object>;
}[Type & string];

export interface SubscribeOptions<Events = PracticeEvents, Type extends keyof Events = keyof Events> {
  readonly connection: Connection;
  /** The subscription's permanent name: its position in the stream is stored under it. Letters, digits, `-` and `_`. */
  readonly name: string;
  /** The event types to take; default: all. Types can be added later. They begin at the position that `start` gives. */
  readonly events?: readonly (Type & string)[];
  /** NATS subjects, `practice.events.<service>.<therapist_id>.<aggregate>.<EventType>` with wildcards; default: all. */
  readonly subjects?: readonly string[];
  /**
   * Handles an event. The event is acknowledged when the promise resolves, so its effect must be durable by then. An event can be
   * delivered more than once, and its effect must not be repeated.
   */
  readonly handler: (event: EventOf<Events, Type>) => Promise<void> | void;
  /**
   * Handles many events at once, if that is cheaper. The events of a practice are in order. The batch is tried first. If it does not
   * handle an event, that event and all later ones of the same practice go to the handler. It must tolerate repeated events too.
   * @returns for each event whether its effect is durable
   */
  readonly batch?: (events: readonly EventOf<Events, Type>[]) => Promise<readonly boolean[]>;
  /** Where a new subscription begins: at the first event (the default), with new events, at a sequence of the stream or at a time. */
  readonly start?: Start;
  /** The maximum number of practices whose events are handled at the same time; 16 by default. */
  readonly concurrency?: number;
  /** Milliseconds until a failed event is retried, by its number of failures. By default 100, doubling up to 30,000. */
  readonly retryAfter?: (failures: number) => number;
  /**
   * The number of attempts after which an event becomes a dead letter and its practice goes on with the next event. The default is
   * 20, which takes about 6 minutes. `Infinity` keeps strict order: the event is retried for ever and its practice waits.
   */
  readonly maxAttempts?: number;
}

export interface Subscription {
  /** Takes no more events and lets running handlers finish, for at most 10 s. Unfinished events are delivered again. */
  stop(): Promise<void>;
}

/** The maximum number of unacknowledged deliveries. When all of them wait behind failing events, the whole subscription waits. */
const WINDOW = 1_000;
const MAX_ATTEMPTS = 20;
const STANDBY_MS = 1_000;
const RETURN_MS = 100;
const STOP_MS = 10_000;
const JOIN_AGAIN_MS = 10_000;

/**
 * Subscribes to the product's events, or to the events of the type argument. If several processes use the same name, one receives
 * events and the others stand by.
 * @throws {Error} when the stream does not exist, or the name or a subject is invalid
 */
export async function subscribe<Events = PracticeEvents, Type extends keyof Events = keyof Events>(
  options: SubscribeOptions<Events, Type>,
): Promise<Subscription> {
  const { connection, name, start = 'first', concurrency = 16 } = options;
  if (!/^[A-Za-z0-9_-]+$/.test(name))
    throw new Error(`'${name}' cannot name a subscription: use letters, digits, - and _`);
  const serving: ServeOptions = {
    connection,
    streams: await streamsOf(connection),
    wanted: { name, takes: eventSubjects(options.subjects, options.events), start, window: WINDOW },
    handler: options.handler as ServeOptions['handler'],
    batch: options.batch as ServeOptions['batch'],
    concurrency,
    retryAfter: options.retryAfter ?? doubling,
    maxAttempts: options.maxAttempts ?? MAX_ATTEMPTS,
  };
  const first = await serve(serving, 0).catch((err: unknown) => {
    if (!(err instanceof OwnerUnavailable)) throw err;
    connection.logger.warn({ err, subscription: name }, 'the subscription is not served');
    return undefined;
  });
  return keepServed(serving, first);
}

/** Serves the subscription, or stands by while another process serves it, until it is stopped. */
function keepServed(serving: ServeOptions, first: Session | undefined): Subscription {
  const { logger } = serving.connection;
  const subscription = serving.wanted.name;
  let stop: () => void = () => {};
  let isStopped = false;
  const stopped = new Promise<void>((resolve) => (stop = resolve));

  async function run(): Promise<void> {
    let joinFrom = 0;
    for (let session = first; ;) {
      const reason = await Promise.race([stopped, session?.over ?? pause(STANDBY_MS)]);
      await session?.end();
      if (isStopped) return;
      if (reason === 'lost') {
        logger.info(
          { subscription },
          'deliveries may have been lost; unacknowledged events are requested again',
        );
        await Promise.race([stopped, pause(RETURN_MS)]);
      }
      if (reason === 'not joined') joinFrom = performance.now() + JOIN_AGAIN_MS;
      session = await serve(serving, joinFrom).catch((err: unknown) => {
        logger.warn({ err, subscription }, 'the subscription is not served');
        return undefined;
      });
    }
  }

  const finished = run();
  return {
    stop: () => {
      isStopped = true;
      stop();
      return Promise.race([finished, pause(STOP_MS)]);
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
}

function doubling(failures: number): number {
  return Math.min(30_000, 100 * 2 ** (failures - 1));
}
