// A session: the time in which the consumers of a subscription deliver to this process. Deliveries go through one keyed queue. The
// deliveries of a practice are handled in order, and practices in parallel.

import type { JetStreamManager } from '@nats-io/jetstream';
import type { Connection } from '../messaging/connection.js';
import { withPast } from './beginning.js';
import { bind } from './binding.js';
import { ACK_WAIT_MS, planConsumers, type Consumer, type Consumers, type Wanted } from './consumers.js';
import { storeDeadLetter } from './dead-letters.js';
import type { Delivery } from './delivery.js';
import { EnvelopeError } from '../messaging/envelope.js';
import { readCloudEvent, type PublishedEvent } from './envelope.js';
import { joinConsumers, type Joining, type Served } from './join.js';
import { createJobQueue, type Job, type JobQueueOptions } from './job-queue.js';
import type { KeyedQueue } from './keyed-queue.js';
import { answerRetries } from './retries.js';
import { matcher } from './subjects.js';

export interface ServeOptions extends Omit<JobQueueOptions, 'subscription'> {
  readonly streams: JetStreamManager;
  readonly wanted: Wanted;
  readonly retryAfter: (failures: number) => number;
  /** The number of attempts after which an event becomes a dead letter. */
  readonly maxAttempts: number;
}

/** Why a session ends: deliveries may have been lost, the consumers were joined, or they could not be joined in time. */
export type Reason = 'lost' | 'joined' | 'not joined';

export interface Session {
  /** Resolves when the session must end, with the reason. */
  readonly over: Promise<Reason>;
  /** Takes no more deliveries. Resolves when the running handlers have finished. */
  end(): Promise<void>;
}

interface State extends ServeOptions {
  readonly takes: (subject: string) => boolean;
  readonly queue: KeyedQueue<Job>;
  readonly main: Served;
  readonly next: Served | undefined;
  /** Deliveries that are not yet acknowledged, by stream sequence. */
  readonly held: Map<number, Delivery>;
  /** Deliveries beyond this sequence are parked. */
  limit: number;
  isEnded: boolean;
}

/** The interval at which the session tries to bind a consumer that serves another process, and to join the two consumers. */
const LOOK_EVERY_MS = 1_000;

/**
 * Starts a session. @returns undefined while the consumers serve another process
 * @param joinFrom the earliest time at which the next consumer may replace the main one, in milliseconds of `performance.now()`
 */
export async function serve(options: ServeOptions, joinFrom: number): Promise<Session | undefined> {
  const planned = await planConsumers(options.streams, options.wanted);
  const state = stateOf(options, await withPast(options, planned));
  let finish: (reason: Reason) => void = () => {};
  const over = new Promise<Reason>((resolve) => (finish = resolve));
  const lost = (): void => finish('lost');
  // Retries are served before the consumers are bound, since the connection may close as soon as deliveries arrive.
  const retries = answerRetries(options.connection, options.wanted.name, (job) =>
    state.queue.add(job.event.therapistId, job),
  );
  // The server must not repeat a delivery while it waits in the queue.
  const keepHeld = setInterval(() => state.held.forEach((one) => one.working()), ACK_WAIT_MS / 3).unref();
  const end = async (): Promise<void> => {
    state.isEnded = true;
    state.main.binding?.release();
    state.next?.binding?.release();
    retries.stop();
    await state.queue.stop();
    clearInterval(keepHeld);
    await acknowledged(options.connection);
  };
  let isBound = false;
  try {
    isBound = await bindAll(state, lost);
  } finally {
    // One consumer may be bound although the other could not be.
    if (!isBound) await end();
  }
  if (!isBound) return undefined;
  void lookAfter(state, joinFrom, lost).then((outcome) => outcome && finish(outcome), lost);
  return { over, end };
}

/** Resolves when the server has received the acknowledgements, so that it does not deliver their events to the next process again. */
const acknowledged = ({ nats }: Connection): Promise<void> =>
  nats.isClosed() ? Promise.resolve() : nats.flush().catch(() => undefined);

function stateOf(options: ServeOptions, { main, next }: Consumers): State {
  const served = (consumer: Consumer): Served => ({
    consumer,
    takes: matcher(consumer.takes),
    binding: undefined,
    last: 0,
    parked: new Set(),
  });
  return {
    ...options,
    takes: matcher(options.wanted.takes),
    queue: createJobQueue({ ...options, subscription: options.wanted.name }),
    main: served(main),
    next: next && served(next),
    held: new Map(),
    limit: Infinity,
    isEnded: false,
  };
}

/** Binds the consumers that are not bound yet. @returns whether at least one consumer is bound */
async function bindAll(state: State, lost: () => void): Promise<boolean> {
  for (const served of [state.main, state.next]) {
    if (served === undefined || served.binding !== undefined) continue;
    const { connection, streams } = state;
    const binding = await bind({
      connection,
      streams,
      consumer: served.consumer,
      isAlone: state.next === undefined,
      deliver: (delivery) => accept(state, served, delivery),
    });
    if (binding === undefined) continue;
    if (state.isEnded) binding.release();
    served.binding = binding;
    served.last = Math.max(served.last, binding.delivered);
    void binding.lost.then(lost);
  }
  return state.main.binding !== undefined || state.next?.binding !== undefined;
}

/** While there are two consumers, binds a consumer that another process has released, and joins the two when possible. */
async function lookAfter(
  state: State,
  joinFrom: number,
  lost: () => void,
): Promise<'joined' | 'not joined' | undefined> {
  const { main, next } = state;
  while (next !== undefined && !state.isEnded) {
    await bindAll(state, lost);
    const mayJoin = performance.now() >= joinFrom;
    if (mayJoin && main.binding !== undefined && next.binding !== undefined) {
      const joining: Joining = { ...state, main, next, setLimit: (limit) => (state.limit = limit) };
      const outcome = await joinConsumers(joining, () => state.isEnded);
      if (outcome !== 'not yet') return outcome;
    }
    await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS).unref());
  }
  return undefined;
}

/** Queues a delivery under its practice, unless the subscription or this consumer does not take it. */
function accept(state: State, served: Served, delivery: Delivery): void {
  const { main, next, held, limit } = state;
  served.last = Math.max(served.last, delivery.streamSequence);
  if (delivery.streamSequence > limit) return void served.parked.add(delivery.streamSequence);
  // The next consumer also receives the main consumer's subjects. It leaves them to the main one until both are joined.
  const isMains = next === undefined || main.takes(delivery.subject);
  if (!state.takes(delivery.subject) || (served === main) !== isMains) return delivery.ack();
  if (held.has(delivery.streamSequence)) return;
  held.set(delivery.streamSequence, delivery);
  try {
    const event = readCloudEvent(delivery.subject, delivery.data);
    state.queue.add(event.therapistId, jobOf(state, delivery, event));
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    // The message will never become readable. Retrying it would block all later messages.
    void giveUp(state, delivery, { error, attempts: 0 }).then(
      (isStored) => isStored || held.delete(delivery.streamSequence),
    );
  }
}

function acknowledge({ held }: State, delivery: Delivery): void {
  held.delete(delivery.streamSequence);
  delivery.ack();
}

function jobOf(state: State, delivery: Delivery, event: PublishedEvent): Job {
  const { connection, wanted, maxAttempts } = state;
  return {
    event,
    done: () => acknowledge(state, delivery),
    async failed(failures, err) {
      if (failures >= maxAttempts && (await giveUp(state, delivery, { error: err, attempts: failures })))
        return 'give up';
      const retryInMs = state.retryAfter(failures);
      const fields = {
        subscription: wanted.name,
        event: event.type,
        eventId: event.metadata.eventId,
        traceId: traceIdIn(event),
      };
      const level = failures < FAILURES_UNTIL_ALERT ? 'warn' : 'error';
      connection.logger[level](
        { ...fields, err, failures, retryInMs },
        'an event could not be handled and is retried',
      );
      return { retryInMs };
    },
  };
}

/** The trace of the request that caused the event; undefined if it was not traced. */
const traceIdIn = ({ metadata: { traceparent } }: PublishedEvent): string | undefined =>
  traceparent?.slice(3, 35);

/** From this failure on, the failures of an event are logged as errors, because the event blocks its practice. */
const FAILURES_UNTIL_ALERT = 10;

/** Stores a delivery as a dead letter. @returns false if that failed; the delivery then stays unacknowledged */
async function giveUp(
  state: State,
  delivery: Delivery,
  { error, attempts }: { error: unknown; attempts: number },
): Promise<boolean> {
  const { connection, wanted } = state;
  const { subject, data, streamSequence: sequence } = delivery;
  try {
    const failed = { subscription: wanted.name, sequence, subject, data, error, attempts };
    const deadLetter = await storeDeadLetter(connection, failed);
    connection.logger.error(
      { subscription: wanted.name, deadLetter, subject, err: error, attempts },
      'dead letter',
    );
    acknowledge(state, delivery);
    return true;
  } catch (err) {
    connection.logger.error({ subscription: wanted.name, err, subject }, 'a dead letter could not be stored');
    return false;
  }
}
