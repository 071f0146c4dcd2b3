// A durable subscription: at least once, in order per practice, one process at a time.

import { jetstreamManager } from '@nats-io/jetstream';
import type { PracticeEvents } from '@practice/contracts';
import type { Connection } from '@practice/messaging';
import { ALL_SUBJECTS, subjectOf } from './envelope.js';
import type { PublishedEvent } from './envelope.js';
import { serve } from './serve.js';
import type { Served, ServeOptions } from './serve.js';

/** One of these events, told apart by `type`. */
export type EventOf<Events, Type extends keyof Events = keyof Events> = {
  [T in Type & string]: PublishedEvent<T, Events[T] & object>;
}[Type & string];

export interface SubscribeOptions<Events = PracticeEvents, Type extends keyof Events = keyof Events> {
  readonly connection: Connection;
  /** The subscription's own name for ever: its place in the stream is kept under it. Letters, digits, `-` and `_`. */
  readonly name: string;
  /** The event types to take; all that the subjects bring, unless given. */
  readonly events?: readonly (Type & string)[];
  /** NATS subjects, `practice.events.<service>.<therapist_id>.<aggregate>.<EventType>` with wildcards; those of the types, unless given. */
  readonly subjects?: readonly string[];
  /** Resolves when the event's effect is lasting; it is then acknowledged. It may be given an event again, so it must stand that. */
  readonly handler: (event: EventOf<Events, Type>) => Promise<void> | void;
  /**
   * Takes many events at once, those of a practice in their order, where that is cheaper than one by one. It is tried first;
   * what it leaves undone, and what is behind that of the same practice, goes to the handler. It must stand repetition, too.
   * @returns for each event whether its effect is lasting
   */
  readonly batch?: (events: readonly EventOf<Events, Type>[]) => Promise<readonly boolean[]>;
  /** Where a new name starts: at the first event ever (the default), or with those published from now on. */
  readonly start?: 'first' | 'new';
  /** Practices whose events are handled at the same time. */
  readonly concurrency?: number;
  /** Milliseconds until a failed event is tried again, after that many failures; by default 100, doubling up to 30,000. */
  readonly retryAfter?: (failures: number) => number;
}

export interface Subscription {
  /** Takes no more events and lets handlers at work finish, for at most 10 s. What was not yet done comes again. */
  stop(): Promise<void>;
}

/** Deliveries held at the same time. When all of them wait behind failing events, the subscription waits with them. */
const WINDOW = 1_000;
const STANDBY_MS = 1_000;
const RETURN_MS = 100;
const STOP_MS = 10_000;

/**
 * Subscribes to events of the product's catalogue, or of another that the type argument gives. Of several processes with the same name one is served and the others stand by.
 * @throws {Error} when the stream does not exist, or the name was used for other subjects
 */
export async function subscribe<Events = PracticeEvents, Type extends keyof Events = keyof Events>(
  options: SubscribeOptions<Events, Type>,
): Promise<Subscription> {
  const { connection, name, events, start = 'first', concurrency = 16, retryAfter = doubling } = options;
  const subjects = options.subjects ?? events?.map((type) => subjectOf({ type })) ?? [ALL_SUBJECTS];
  const wanted = events && new Set<string>(events);
  const serving: ServeOptions = {
    connection,
    streams: await jetstreamManager(connection.nats, { checkAPI: false }),
    claim: { name, subjects, start, window: WINDOW },
    wants: (type) => wanted === undefined || wanted.has(type),
    handler: options.handler as ServeOptions['handler'],
    batch: options.batch as ServeOptions['batch'],
    concurrency,
    retryAfter,
  };
  return keepServed(serving, await serve(serving));
}

/** Goes on being served, or standing by, until stopped. */
function keepServed(serving: ServeOptions, first: Served | undefined): Subscription {
  const { logger } = serving.connection;
  const subscription = serving.claim.name;
  let stop: () => void = () => {};
  let isStopped = false;
  const stopped = new Promise<void>((resolve) => (stop = resolve));

  async function run(): Promise<void> {
    for (let served = first; ;) {
      await Promise.race([stopped, served?.lost ?? pause(STANDBY_MS)]);
      await served?.end();
      if (isStopped) return;
      if (served !== undefined) {
        logger.info({ subscription }, 'deliveries may have been lost; what is not done is asked for again');
        await Promise.race([stopped, pause(RETURN_MS)]);
      }
      served = await serve(serving).catch((err: unknown) => {
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
