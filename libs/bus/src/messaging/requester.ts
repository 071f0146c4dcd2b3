// The client side of requests. Requests share messages, but each request has its own reply, errors and timeout.

import { randomUUID } from 'node:crypto';
import type { Problem, OutgoingEnvelope } from '@practice/core';
import { createHold, NO_RESPONDERS, type Hold } from './hold.js';
import { createInFlight, type Asked, type InFlight } from './in-flight.js';
import { createReassembly, type Reassembly } from './chunks.js';
import type { Connection } from './connection.js';
import { readReplyEnvelope } from './envelope.js';
import { decodeFrame, encodeFrame, entrySize, FRAME_OVERHEAD, wholeEntry, type Entry } from './frame.js';
import { createFrameQueue, type Batch, type FrameQueue } from './frame-queue.js';
import { misunderstood, tooLarge, unavailable } from './reply.js';
import { outgoing } from './outgoing.js';
import type { Reply } from './request.js';
import type { StateIdentity } from './statement.js';
import { repeatAfterStarts } from './repeat-after-starts.js';
import { frameOf, goneSubject, kindOf, nameOfRequest } from './subjects.js';
import { replyPrefix, requestSubject, UNKNOWN_VERSION } from './subjects.js';
import type { Msg, Subscription } from '@nats-io/transport-node';

export interface RequesterOptions {
  readonly connection: Connection;
  /** The requester's NATS user: `gateway`, or the name of a service. Only it may send requests under this name and receive the replies. */
  readonly user: string;
  /** The maximum time for a reply, in milliseconds. A function of the envelope if some requests take longer. */
  readonly timeoutMs: number | ((envelope: OutgoingEnvelope) => number);
  /** The maximum number of requests that wait for a reply. A request beyond it is refused immediately. */
  readonly maxInFlight?: number;
  /** Makes statements of identity. Only for a gateway, because services send no requests on behalf of callers. */
  readonly stateIdentity?: StateIdentity;
  /**
   * Whether it is safe to carry out a request twice. Such a request is sent once more when a process of its service has started,
   * because the process that had it may have ended. If omitted, no request is repeated.
   */
  readonly mayRepeat?: (envelope: OutgoingEnvelope) => boolean;
  /**
   * The problem of a request that was sent but got no reply, so that it is unknown whether it was carried out. If undefined, the
   * service counts as unavailable, and the caller may send the request again.
   */
  readonly unanswered?: (envelope: OutgoingEnvelope) => Problem | undefined;
  /** Called when a request ends, with its service and the milliseconds that it took. */
  readonly observe?: (service: string, outcome: 'answered' | 'failed', ms: number) => void;
}

export type Requester = ReturnType<typeof createRequester>;

/** The subjects for replies of one service. Only that service learns the prefix, so no other process can reply on them. */
interface Line {
  readonly prefix: string;
  readonly subscription: Subscription;
}

interface State
  extends
    Pick<RequesterOptions, 'connection' | 'user' | 'stateIdentity' | 'observe'>,
    Required<Pick<RequesterOptions, 'maxInFlight' | 'mayRepeat' | 'unanswered'>> {
  readonly lines: Map<string, Line>;
  readonly timeoutOf: (envelope: OutgoingEnvelope) => number;
  readonly inFlight: InFlight;
  readonly hold: Hold;
  readonly chunks: Reassembly;
  readonly queue: FrameQueue<Asked>;
  sweeping?: NodeJS.Timeout | undefined;
}

const FRAMES_UNDER_WAY = 2;
/** The interval of the search for expired requests. One interval for all is cheaper than a timer for each request. */
const SWEEP_MS = 50;

/** Creates a requester. It starts to listen for a service's replies with the first request to that service. */
export function createRequester(options: RequesterOptions) {
  const { connection, timeoutMs, observe, mayRepeat } = options;
  const chunks = createReassembly();
  const inFlight = createInFlight(({ id, service, askedAt }, ending) => {
    chunks.forget(id);
    if (ending !== 'superseded') observe?.(service, ending, performance.now() - askedAt);
  });
  const queue = createFrameQueue<Asked>({
    limit: connection.maxPayload / 2,
    // Two frames in transit keep both sides busy. Requests that are made in the meantime share the next frame.
    mayWait: (subject) => inFlight.openFrames(subject) >= FRAMES_UNDER_WAY,
    send: (subject, batch) => send(state, subject, batch),
  });
  const hold = createHold(inFlight, (asked) => queue.add(asked.subject, asked));
  const state: State = {
    ...{ maxInFlight: 2_000, mayRepeat: () => false, unanswered: () => undefined, ...options },
    ...{ lines: new Map(), inFlight, hold, chunks, queue },
    timeoutOf: typeof timeoutMs === 'number' ? () => timeoutMs : timeoutMs,
  };
  const started = mayRepeat && repeatAfterStarts({ connection, inFlight, send: queue.add });
  const forgetDown = connection.onDown(() => inFlight.failAll('is unavailable'));
  return {
    /**
     * Sends a request to a service.
     * @throws {Rejection} `PM503` if the service does not run or reply in time, NATS is unavailable, or too many requests wait; the
     * problem of `unanswered`, if any, for a request that was sent but got no reply; `PM413` if it does not fit into a NATS message
     */
    request: <Fields extends object>(
      service: string,
      envelope: OutgoingEnvelope<Fields>,
      body: string | Uint8Array,
    ): Promise<Reply<Buffer>> => ask(state, service, { envelope, body }),
    /** Asks services to stop long work on all parts of a larger request whose caller has disconnected. A reply may still come. */
    giveUp: (partOf: object): void => giveUp(state, partOf),
    /** How many requests wait for a reply. */
    inFlight: inFlight.size,
    /** Fails the waiting requests and stops listening. */
    close: (): void => {
      forgetDown();
      started?.unsubscribe();
      for (const { subscription } of state.lines.values()) subscription.unsubscribe();
      inFlight.failAll('is unavailable: this process is stopping');
    },
  };
}

/** Fails expired requests at intervals until no request is in flight, so that an idle process is not woken. */
function sweep(state: State): void {
  state.sweeping ??= setInterval(() => {
    state.hold.probe();
    state.inFlight.expire(Date.now());
    if (state.inFlight.size() > 0) return;
    clearInterval(state.sweeping);
    state.sweeping = undefined;
  }, SWEEP_MS).unref();
}

function ask(
  state: State,
  service: string,
  { envelope, body }: { envelope: OutgoingEnvelope; body: string | Uint8Array },
): Promise<Reply<Buffer>> {
  if (state.inFlight.size() >= state.maxInFlight) return refuse(state, service, 'is overloaded');
  if (!state.connection.isUp()) return refuse(state, service, 'is unavailable');
  const timeout = state.timeoutOf(envelope);
  const deadline = Math.min(envelope.deadline ?? Infinity, Date.now() + timeout);
  const message = JSON.stringify(outgoing(state, service, { envelope, deadline }));
  const entry = wholeEntry(state.inFlight.nextId(), message, body);
  if (FRAME_OVERHEAD + entrySize(entry) > state.connection.maxPayload) return Promise.reject(tooLarge());
  const subject = requestSubject({ service, caller: state.user, kind: kindOf(envelope) });
  return new Promise((resolve, reject) => {
    // Field by field, because V8 takes several times as long to copy one object into another.
    const asked: Asked = {
      id: entry.id,
      kind: entry.kind,
      envelope: entry.envelope,
      envelopeBytes: entry.envelopeBytes,
      body: entry.body,
      bodyBytes: entry.bodyBytes,
      service,
      subject,
      deadline,
      patience: state.stateIdentity && timeout,
      askedAt: performance.now(),
      resolve,
      reject,
      frame: undefined,
      mayRepeat: state.mayRepeat(envelope),
      unanswered: state.unanswered(envelope),
      other: undefined,
      partOf: envelope.partOf,
    };
    state.inFlight.add(asked);
    sweep(state);
    state.queue.add(subject, asked);
  });
}

/** Refuses a request before it is sent. */
function refuse({ observe }: State, service: string, why: string): Promise<never> {
  observe?.(service, 'failed', 0);
  return Promise.reject(unavailable(service, why));
}

function send(state: State, subject: string, batch: Batch<Asked>): void {
  const waiting = batch.entries.filter(({ id }) => state.inFlight.get(id) !== undefined);
  const [first] = waiting;
  if (first === undefined) return;
  const { service } = first;
  const frame = state.inFlight.openFrame(subject, waiting);
  try {
    const reply = `${lineTo(state, service).prefix}.${frame}`;
    state.connection.nats.publish(subject, encodeFrame(batch.entries, batch.size), { reply });
  } catch (error) {
    state.connection.logger.error({ err: error, service }, 'requests cannot be sent');
    for (const asked of batch.entries) state.inFlight.failUnread(asked, 'is unavailable');
  }
}

function giveUp({ connection, inFlight, lines, user }: State, partOf: object): void {
  if (!connection.isUp()) return;
  for (const { id, service } of inFlight.partsOf(partOf)) {
    const line = lines.get(service);
    if (line !== undefined)
      connection.nats.publish(goneSubject({ service, caller: user }), nameOfRequest(line.prefix, id));
  }
}

function lineTo(state: State, service: string): Line {
  const known = state.lines.get(service);
  if (known !== undefined) return known;
  const { connection, user } = state;
  const prefix = `${replyPrefix({ caller: user, service })}${randomUUID()}`;
  const subscription = connection.nats.subscribe(`${prefix}.*`, {
    callback: (error, message) => {
      if (error) connection.logger.error({ err: error }, 'replies cannot be received');
      else receive(state, service, message);
    },
  });
  const line = { prefix, subscription };
  state.lines.set(service, line);
  return line;
}

function receive(state: State, service: string, message: Msg): void {
  if (message.data.length === 0) {
    const [frame, status = 0] = [frameOf(message.subject), message.headers?.code];
    if (status === NO_RESPONDERS) state.hold.keep(frame, service);
    if (status === UNKNOWN_VERSION) state.inFlight.failFrame(frame, service, misunderstood);
    return;
  }
  try {
    for (const entry of decodeFrame(message.data)) accept(state, service, entry);
    state.hold.release(service);
    state.queue.review();
  } catch (error) {
    state.connection.logger.error({ err: error, service }, 'a frame of replies cannot be read');
  }
}

function accept(state: State, service: string, entry: Entry): void {
  const asked = state.inFlight.get(entry.id);
  // Ignored: the request has already ended, or was sent to another service.
  if (asked?.service !== service) return;
  const whole = state.chunks.accept(entry);
  if (whole === undefined) return;
  try {
    const { status, headers } = readReplyEnvelope(whole.envelope);
    state.inFlight.settle(asked, { status, headers, body: whole.body });
  } catch (error) {
    state.connection.logger.error({ err: error, service }, 'a reply cannot be read');
    state.inFlight.fail(asked, 'sent a reply that cannot be read');
  }
}
