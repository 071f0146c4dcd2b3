// The sending side. Requests share messages, but each has its own reply, errors and timeout.

import { createInFlight } from './in-flight.js';
import type { Asked, InFlight } from './in-flight.js';
import { createReassembly } from './chunks.js';
import type { Reassembly } from './chunks.js';
import type { Connection } from './connection.js';
import { decodeFrame, encodeFrame, entrySize, FRAME_OVERHEAD, FRAME_VERSION, wholeEntry } from './frame.js';
import type { Entry } from './frame.js';
import { createFrameQueue } from './frame-queue.js';
import type { Batch, FrameQueue } from './frame-queue.js';
import { tooLarge, unavailable } from './reply.js';
import type { Envelope, OutgoingEnvelope, Reply } from './request.js';
import { frameOf, replyPrefix, requestSubject, UNKNOWN_VERSION } from './subjects.js';
import type { Msg } from '@nats-io/transport-node';

export interface RequesterOptions {
  readonly connection: Connection;
  /** The NATS user, the only one that may receive these replies. */
  readonly user: string;
  /** A subject token that is unique among the processes of this user. */
  readonly instance: string;
  readonly timeoutMs: number;
  /** Requests that may wait for a reply at the same time; the next one is refused immediately. */
  readonly maxInFlight?: number;
}

export interface Requester {
  /**
   * Sends a request to a service.
   * @throws {Rejection} `PM503` if the service is not running or does not reply in time, NATS is unavailable, or too many
   * requests wait already; `PM413` if the request does not fit into a NATS message
   */
  request<Fields extends object>(
    service: string,
    envelope: OutgoingEnvelope<Fields>,
    body: string | Uint8Array,
  ): Promise<Reply<Buffer>>;
  /** How many requests wait for a reply. */
  inFlight(): number;
  /** Fails the waiting requests and stops listening. */
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

/** How often expired requests are looked for. One interval for all is cheaper than a timer for each. */
const SWEEP_MS = 50;

/** Listens for replies from now on: one subscription for all services. */
export function createRequester(options: RequesterOptions): Requester {
  const { connection, timeoutMs, maxInFlight = 2_000 } = options;
  const prefix = replyPrefix(options.user, options.instance);
  const chunks = createReassembly();
  const inFlight = createInFlight((id) => chunks.forget(id));
  const queue = createFrameQueue<Asked>({
    limit: connection.maxPayload / 2,
    // Two frames in transit keep both sides busy. Requests that arrive meanwhile share the next frame.
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
    request: (service, envelope, body) => ask(state, service, { envelope, body }),
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
  { envelope, body }: { envelope: OutgoingEnvelope; body: string | Uint8Array },
): Promise<Reply<Buffer>> {
  if (state.inFlight.size() >= state.maxInFlight)
    return Promise.reject(unavailable(service, 'has too much to do'));
  if (!state.connection.isUp()) return Promise.reject(unavailable(service, 'is out of reach'));
  const deadline = Math.min(envelope.deadline ?? Infinity, Date.now() + state.timeoutMs);
  const entry = wholeEntry(state.inFlight.nextId(), JSON.stringify(withDeadline(deadline, envelope)), body);
  if (FRAME_OVERHEAD + entrySize(entry) > state.connection.maxPayload) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const asked: Asked = Object.assign(entry, { service, deadline, resolve, reject, frame: undefined });
    state.inFlight.add(asked);
    state.queue.add(service, asked);
  });
}

/** `Object.assign` because the objects that Node 20 makes of a spread survive the next garbage collection. */
const withDeadline = (deadline: number, envelope: OutgoingEnvelope): Envelope =>
  Object.assign({}, envelope, { deadline });

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

/** Why no reply will come for a frame, by the status of an empty message: NATS' own, and that of `FrameServer`. */
const REFUSED_FRAMES: ReadonlyMap<number, string> = new Map([
  [503, 'is not running'],
  [UNKNOWN_VERSION, `does not understand frame version ${FRAME_VERSION}`],
]);

function receive(state: State, message: Msg): void {
  if (message.data.length === 0) {
    const why = REFUSED_FRAMES.get(message.headers?.code ?? 0);
    if (why !== undefined) state.inFlight.failFrame(frameOf(message.subject), why);
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
  // The request has already timed out.
  if (asked === undefined) return;
  const whole = state.chunks.accept(entry);
  if (whole === undefined) return;
  const { status, headers } = JSON.parse(whole.envelope) as Pick<Reply, 'status' | 'headers'>;
  state.inFlight.settle(asked, { status, headers, body: whole.body });
}
