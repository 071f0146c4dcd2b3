// The asking side. Every request is on its own as regards its answer, errors and time; only its way is shared.

import { createInFlight } from './in-flight.js';
import type { Asked, InFlight } from './in-flight.js';
import { createReassembly } from './chunks.js';
import type { Reassembly } from './chunks.js';
import type { Connection } from './connection.js';
import { decodeFrame, encodeFrame, ENTRY_OVERHEAD, wholeEntry } from './frame.js';
import type { Entry } from './frame.js';
import { createFrameQueue } from './frame-queue.js';
import type { Batch, FrameQueue } from './frame-queue.js';
import { unavailable } from './reply.js';
import type { AskedHead, Reply } from './request.js';
import { frameOf, replyPrefix, requestSubject } from './subjects.js';
import type { Msg } from '@nats-io/transport-node';

export interface RequesterOptions {
  readonly connection: Connection;
  /** The NATS user: the only one that may receive these replies. */
  readonly user: string;
  /** Unique among the processes of this user: one subject token. */
  readonly instance: string;
  readonly timeoutMs: number;
  /** Requests that may wait for a reply at the same time; one more is refused at once. */
  readonly maxInFlight?: number;
}

export interface Requester {
  /**
   * Asks a service.
   * @throws {Rejection} `PM503` when nobody serves it, it does not answer in time, the bus is away, or too many wait already
   */
  request<Fields extends object>(
    service: string,
    head: AskedHead<Fields>,
    body: string | Uint8Array,
  ): Promise<Reply<Buffer>>;
  /** How many requests wait for a reply. */
  inFlight(): number;
  /** Refuses what still waits, and listens no longer. */
  close(): void;
}

interface State {
  readonly connection: Connection;
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly maxInFlight: number;
  readonly inFlight: InFlight;
  readonly chunks: Reassembly;
  readonly queue: FrameQueue<Asked>;
}

const FRAMES_UNDER_WAY = 2;

/** How often requests that are out of time are looked for: one interval for all is cheaper than a timer for each. */
const SWEEP_MS = 50;

/** Listens for replies from now on; replies come on one subscription for all services. */
export function createRequester(options: RequesterOptions): Requester {
  const { connection, timeoutMs, maxInFlight = 2_000 } = options;
  const prefix = replyPrefix(options.user, options.instance);
  const chunks = createReassembly();
  const inFlight = createInFlight((id) => chunks.forget(id));
  const queue = createFrameQueue<Asked>({
    limit: connection.maxPayload / 2,
    // Two frames on their way keep both sides busy; what comes meanwhile gathers, so that frames grow with the load.
    mayWait: (service) => inFlight.openFrames(service) >= FRAMES_UNDER_WAY,
    send: (service, batch) => send(state, service, batch),
  });
  const state: State = { connection, prefix, timeoutMs, maxInFlight, inFlight, chunks, queue };

  const subscription = connection.nats.subscribe(`${prefix}.*`, {
    callback: (error, message) => {
      if (error) connection.logger.error({ err: error }, 'replies cannot be received');
      else receive(state, message);
    },
  });
  const sweep = setInterval(() => inFlight.expire(Date.now()), SWEEP_MS).unref();
  const forgetDown = connection.onDown(() => inFlight.failAll('is out of reach'));
  return {
    request: (service, head, body) => ask(state, service, { head, body }),
    inFlight: () => inFlight.size(),
    close: () => {
      clearInterval(sweep);
      forgetDown();
      if (!connection.nats.isClosed()) subscription.unsubscribe();
      inFlight.failAll('is no longer asked');
    },
  };
}

function ask(
  state: State,
  service: string,
  { head, body }: { head: AskedHead; body: string | Uint8Array },
): Promise<Reply<Buffer>> {
  if (state.inFlight.size() >= state.maxInFlight)
    return Promise.reject(unavailable(service, 'has too much to do'));
  if (!state.connection.isUp()) return Promise.reject(unavailable(service, 'is out of reach'));
  const deadline = Math.min(head.deadline ?? Infinity, Date.now() + state.timeoutMs);
  const entry = wholeEntry(state.inFlight.nextId(), JSON.stringify(headWith(deadline, head)), body);
  if (ENTRY_OVERHEAD + entry.headBytes + entry.bodyBytes > state.connection.maxPayload) {
    return Promise.reject(
      new RangeError(`a request of ${entry.bodyBytes} bytes does not fit into a NATS message`),
    );
  }
  return new Promise((resolve, reject) => {
    const asked: Asked = Object.assign(entry, { service, deadline, resolve, reject, frame: undefined });
    state.inFlight.add(asked);
    state.queue.add(service, asked);
  });
}

/** Not by a spread with something behind it: what Node 20's V8 makes of that outlives the next collection. */
const headWith = <Head extends AskedHead>(deadline: number, head: Head): Head & { deadline: number } =>
  Object.assign({}, head, { deadline });

function send(state: State, service: string, batch: Batch<Asked>): void {
  const waiting = batch.entries.filter(({ id }) => state.inFlight.get(id) !== undefined);
  if (waiting.length === 0) return;
  const reply = `${state.prefix}.${state.inFlight.openFrame(service, waiting)}`;
  try {
    state.connection.nats.publish(requestSubject(service), encodeFrame(batch.entries, batch.size), { reply });
  } catch (error) {
    state.connection.logger.error({ err: error, service }, 'requests cannot be sent');
    for (const asked of batch.entries) state.inFlight.fail(asked, 'is out of reach');
  }
}

function receive(state: State, message: Msg): void {
  if (message.data.length === 0) {
    if (message.headers?.code === 503) state.inFlight.failFrame(frameOf(message.subject), 'is not running');
    return;
  }
  try {
    for (const entry of decodeFrame(message.data)) accept(state, entry);
    state.queue.review();
  } catch (error) {
    state.connection.logger.error({ err: error }, 'a reply cannot be read');
  }
}

function accept(state: State, entry: Entry): void {
  const asked = state.inFlight.get(entry.id);
  // Too late: its timeout has already been the answer.
  if (asked === undefined) return;
  const whole = state.chunks.accept(entry);
  if (whole === undefined) return;
  const { status, headers } = JSON.parse(whole.head) as Pick<Reply, 'status' | 'headers'>;
  state.inFlight.settle(asked, { status, headers, body: whole.body });
}
