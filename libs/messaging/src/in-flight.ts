// The requests that wait for a reply, and the frames that carried them.

import type { Outgoing } from './frame.js';
import { unavailable } from './reply.js';
import type { Reply } from './request.js';
import { createSlots } from './slots.js';

/** A request that waits for its reply. */
export interface Asked extends Outgoing {
  readonly service: string;
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Milliseconds of `performance.now()`. */
  readonly askedAt: number;
  readonly resolve: (reply: Reply<Buffer>) => void;
  readonly reject: (error: Error) => void;
  frame: Frame | undefined;
}

interface Frame {
  number: number;
  readonly subject: string;
  readonly entries: readonly Asked[];
  /** How many of its requests still wait for a reply. */
  open: number;
}

export interface InFlight {
  size(): number;
  nextId(): number;
  get(id: number): Asked | undefined;
  add(asked: Asked): void;
  /** Assigns a number to the frame of these requests that no other open frame has. */
  openFrame(subject: string, entries: readonly Asked[]): number;
  /** How many frames on a subject still have requests without a reply. */
  openFrames(subject: string): number;
  settle(asked: Asked, reply: Reply<Buffer>): void;
  fail(asked: Asked, why: string): void;
  /** Fails the waiting requests of a frame to a service that no process received or understood. */
  failFrame(frame: number, service: string, why: string): void;
  failAll(why: string): void;
  /** Fails every request whose deadline is before `now`. */
  expire(now: number): void;
}

/** @param gone called with every request that no longer waits */
export function createInFlight(gone: (asked: Asked, outcome: 'answered' | 'failed') => void): InFlight {
  const waiting = createSlots<Asked>();
  /** id → slot. Only numbers, for the reason given in `slots.ts`. */
  const places = new Map<number, number>();
  const frames = createFrames();
  let lastId = 0;

  function remove(asked: Asked, outcome: 'answered' | 'failed'): boolean {
    const place = places.get(asked.id);
    if (place === undefined) return false;
    places.delete(asked.id);
    waiting.free(place);
    frames.release(asked);
    gone(asked, outcome);
    return true;
  }
  function fail(asked: Asked, why: string): void {
    if (remove(asked, 'failed')) asked.reject(unavailable(asked.service, why));
  }
  const nextId = (): number => (lastId = freeIdAfter(lastId, places));
  return {
    size: waiting.size,
    nextId,
    get: (id) => waiting.get(places.get(id) ?? NOWHERE),
    add: (asked) => void places.set(asked.id, waiting.put(asked)),
    openFrame: frames.open,
    openFrames: frames.count,
    settle: (asked, reply) => {
      if (remove(asked, 'answered')) asked.resolve(reply);
    },
    fail,
    failFrame: (frame, service, why) =>
      frames.entries(frame).forEach((asked) => asked.service === service && fail(asked, why)),
    failAll: (why) => waiting.forEach((asked) => fail(asked, why)),
    expire: (now) =>
      waiting.forEach((asked) => {
        if (asked.deadline < now) fail(asked, 'did not answer in time');
      }),
  };
}

const NOWHERE = -1;

/** The next of 2³² ids that no waiting request has. */
function freeIdAfter(last: number, taken: ReadonlyMap<number, unknown>): number {
  let id = last;
  do id = (id + 1) >>> 0;
  while (taken.has(id));
  return id;
}

/**
 * Frame numbers are reused, the most recently freed first: the NATS server caches subjects, and a new subject for every
 * frame would miss that cache each time.
 */
function createFrames() {
  const frames = createSlots<Frame>();
  const open = new Map<string, number>();
  const count = (subject: string): number => open.get(subject) ?? 0;
  return {
    open(subject: string, entries: readonly Asked[]): number {
      const frame: Frame = { number: NOWHERE, subject, entries, open: entries.length };
      for (const asked of entries) asked.frame = frame;
      frame.number = frames.put(frame);
      open.set(subject, count(subject) + 1);
      return frame.number;
    },
    count,
    entries: (number: number): readonly Asked[] => frames.get(number)?.entries ?? [],
    release({ frame }: Asked): void {
      if (frame === undefined || --frame.open > 0) return;
      frames.free(frame.number);
      open.set(frame.subject, count(frame.subject) - 1);
    },
  };
}
