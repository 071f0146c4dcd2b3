// The requests that wait for a reply, and the frames that carried them.

import type { Outgoing } from './frame.js';
import { Rejection, type Problem } from '@practice/core';
import { unavailable } from './reply.js';
import type { Reply } from './request.js';
import { createSlots } from './slots.js';

/** A request that waits for its reply. */
export interface Asked extends Outgoing {
  readonly service: string;
  readonly subject: string;
  /** Milliseconds since the epoch. While no process has received the request, `Hold` moves it here and in the envelope. */
  deadline: number;
  envelope: string;
  /** The milliseconds that the request has again when it is sent again. Undefined for a service, for whose reply another process waits. */
  readonly patience: number | undefined;
  /** When the request was made, in milliseconds of `performance.now()`. */
  readonly askedAt: number;
  readonly resolve: (reply: Reply<Buffer>) => void;
  readonly reject: (error: Error) => void;
  frame: Frame | undefined;
  /** Whether a second attempt is safe and has not been made yet. */
  mayRepeat: boolean;
  /** The problem if the request was sent but got no reply. If undefined, the service counts as unavailable in that case. */
  readonly unanswered: Problem | undefined;
  /** The other attempt at the same request, while both wait. The first reply to either of them counts. */
  other: Asked | undefined;
  readonly partOf: object | undefined;
}

interface Frame {
  number: number;
  readonly subject: string;
  readonly entries: readonly Asked[];
  /** How many requests of the frame still wait for a reply. */
  open: number;
}

export type InFlight = ReturnType<typeof createInFlight>;

/** How a request ended. `superseded` means that the other attempt goes on or was answered. */
export type Ending = 'answered' | 'failed' | 'superseded';

/** A store of waiting requests. @param gone called with every request that no longer waits */
export function createInFlight(gone: (asked: Asked, ending: Ending) => void) {
  const frames = createFrames();
  const waiting = createWaiting((asked, ending) => {
    frames.release(asked);
    gone(asked, ending);
  });
  const { settle, fail, failUnread } = endingsOf(waiting);
  return {
    size: waiting.size,
    nextId: waiting.nextId,
    get: waiting.get,
    add: waiting.add,
    /** Adds a second attempt for each waiting request to the service that may be repeated. Both attempts wait. */
    repeat: (service: string) => secondAttempts(waiting, service),
    openFrame: frames.open,
    openFrames: frames.count,
    /** The waiting requests that are part of a larger one. */
    partsOf: (whole: object) => requestsIn(waiting, ({ partOf }) => partOf === whole),
    settle,
    fail,
    failUnread,
    /** Fails the waiting requests of a frame that no process of the service received or understood. */
    failFrame: (frame: number, service: string, why: string): void =>
      frames.entries(frame).forEach((asked) => asked.service === service && failUnread(asked, why)),
    /** Takes the waiting requests out of a frame that no process of the service received. They can be sent again. */
    unsent: (number: number, service: string): Asked[] => {
      const unsent = frames
        .entries(number)
        .filter(
          (asked) => asked.service === service && asked.frame?.number === number && waiting.get(asked.id),
        );
      for (const asked of unsent) {
        frames.release(asked);
        asked.frame = undefined;
      }
      return unsent;
    },
    failAll: (why: string) => waiting.forEach((asked) => fail(asked, why)),
    /** Fails every request whose deadline is before `now`. */
    expire: (now: number) =>
      waiting.forEach((asked) => {
        if (asked.deadline < now) fail(asked, 'did not answer in time');
      }),
  };
}

type Waiting = ReturnType<typeof createWaiting>;

/** The waiting requests by their ids. */
function createWaiting(gone: (asked: Asked, ending: Ending) => void) {
  const slots = createSlots<Asked>();
  /** id → slot. Only numbers, for the reason given in `slots.ts`. */
  const places = new Map<number, number>();
  let lastId = 0;
  return {
    size: slots.size,
    forEach: slots.forEach,
    nextId: (): number => (lastId = freeIdAfter(lastId, places)),
    get: (id: number): Asked | undefined => slots.get(places.get(id) ?? NOWHERE),
    add: (asked: Asked): void => void places.set(asked.id, slots.put(asked)),
    /** Removes a request. @returns whether it was waiting */
    remove(asked: Asked, ending: Ending): boolean {
      const place = places.get(asked.id);
      if (place === undefined) return false;
      places.delete(asked.id);
      slots.free(place);
      gone(asked, ending);
      return true;
    },
  };
}

function endingsOf({ remove }: Waiting) {
  const failWith = (asked: Asked, reason: () => Rejection): void => {
    const { other } = asked;
    if (!remove(asked, other === undefined ? 'failed' : 'superseded')) return;
    if (other === undefined) asked.reject(reason());
    else other.other = undefined;
  };
  return {
    settle: (asked: Asked, reply: Reply<Buffer>): void => {
      if (!remove(asked, 'answered')) return;
      if (asked.other !== undefined) remove(asked.other, 'superseded');
      asked.resolve(reply);
    },
    /** Fails a request. If it was sent, its outcome is unknown. */
    fail: (asked: Asked, why: string): void => failWith(asked, () => reasonOf(asked, why)),
    /** Fails a request that no process has begun to carry out. */
    failUnread: (asked: Asked, why: string): void => failWith(asked, () => unavailable(asked.service, why)),
  };
}

/** The error of a request without a reply. A request without a frame was never sent, so its service counts as unavailable. */
const reasonOf = ({ unanswered, frame, service }: Asked, why: string): Rejection =>
  unanswered === undefined || frame === undefined ? unavailable(service, why) : new Rejection(unanswered);

function requestsIn({ forEach }: Waiting, isMeant: (asked: Asked) => boolean): Asked[] {
  const found: Asked[] = [];
  forEach((asked) => {
    if (isMeant(asked)) found.push(asked);
  });
  return found;
}

function secondAttempts(waiting: Waiting, service: string): Asked[] {
  const { add, nextId } = waiting;
  const repeatable = requestsIn(
    waiting,
    // A request without a frame has not been sent yet.
    (asked) => asked.service === service && asked.mayRepeat && asked.frame !== undefined,
  );
  return repeatable.map((asked) => {
    asked.mayRepeat = false;
    const again = Object.assign({}, asked, { id: nextId(), frame: undefined, other: asked });
    asked.other = again;
    add(again);
    return again;
  });
}

const NOWHERE = -1;

/** The next id after `last` that no waiting request has. Ids have 32 bits and start again at 0. */
function freeIdAfter(last: number, taken: ReadonlyMap<number, unknown>): number {
  let id = last;
  do id = (id + 1) >>> 0;
  while (taken.has(id));
  return id;
}

/**
 * The open frames by their numbers. The number freed last is used first, because the NATS server caches subjects: a new subject
 * for every frame would miss that cache each time.
 */
function createFrames() {
  const frames = createSlots<Frame>();
  const open = new Map<string, number>();
  const count = (subject: string): number => open.get(subject) ?? 0;
  return {
    /** Opens a frame with these requests. @returns its number, which no other open frame has */
    open(subject: string, entries: readonly Asked[]): number {
      const frame: Frame = { number: NOWHERE, subject, entries, open: entries.length };
      for (const asked of entries) asked.frame = frame;
      frame.number = frames.put(frame);
      open.set(subject, count(subject) + 1);
      return frame.number;
    },
    /** How many frames on a subject still have requests without a reply. */
    count,
    entries: (number: number): readonly Asked[] => frames.get(number)?.entries ?? [],
    release({ frame }: Asked): void {
      if (frame === undefined || --frame.open > 0) return;
      frames.free(frame.number);
      open.set(frame.subject, count(frame.subject) - 1);
    },
  };
}
