// Collects what there is to say to each receiver: everything of one event-loop tick, and while much is under way, of a few.

import { entrySize } from './frame.js';
import type { Outgoing } from './frame.js';

/** What goes out as one frame. */
export interface Batch<Item extends Outgoing> {
  readonly entries: Item[];
  /** The frame's length in bytes. */
  size: number;
}

export interface FrameQueue<Item extends Outgoing> {
  /** Sends the entry at the end of this tick, together with all others to the same receiver; later if it may wait. */
  add(to: string, entry: Item): void;
  /** Looks again, at the end of this tick, whether what has waited for others must still wait. */
  review(): void;
  /** Sends everything now. */
  flush(): void;
}

export interface FrameQueueOptions<Item extends Outgoing> {
  /** Bytes of one frame, of which 48 KiB are used at most; a batch that would grow beyond is sent at once. One bigger entry goes alone. */
  readonly limit: number;
  /** Whether a batch may wait for more to come: a message costs far more than what is in it. Never, unless given. */
  readonly mayWait?: (to: string, batch: Batch<Item>) => boolean;
  /** Puts one frame on the bus; must not throw. */
  readonly send: (to: string, batch: Batch<Item>) => void;
}

interface Addressed<Item extends Outgoing> {
  readonly to: string;
  batch: Batch<Item>;
}

/**
 * What is gathered fits into what a socket delivers at once (64 KiB), so that it is read where it arrived: a message that comes
 * in pieces is copied by its receiver, several times over as it grows.
 */
const GATHERED_BYTES = 48 * 1024;

/** Nothing waits for others longer than this. */
const LONGEST_WAIT_MS = 1;

/** A queue that looks after itself by `setImmediate`: after the sockets' data of this tick, before anything waits. */
export function createFrameQueue<Item extends Outgoing>(options: FrameQueueOptions<Item>): FrameQueue<Item> {
  const { mayWait = () => false, send } = options;
  const limit = Math.min(options.limit, GATHERED_BYTES);
  /** Of the few receivers that something is to be said to; no Map, for the reason that slots tell. */
  let batches: Addressed<Item>[] = [];
  let isScheduled = false;
  let timer: NodeJS.Timeout | undefined;

  function sendUnless(mayStay: (to: string, batch: Batch<Item>) => boolean): void {
    const waited = batches;
    batches = waited.filter(({ to, batch }) => mayStay(to, batch));
    for (const addressed of waited) if (!batches.includes(addressed)) send(addressed.to, addressed.batch);
  }

  function endTick(): void {
    isScheduled = false;
    sendUnless(mayWait);
    if (batches.length > 0) timer ??= setTimeout(flush, LONGEST_WAIT_MS);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    sendUnless(() => false);
  }

  function review(): void {
    if (isScheduled || batches.length === 0) return;
    isScheduled = true;
    setImmediate(endTick);
  }

  function add(to: string, entry: Item): void {
    const size = entrySize(entry);
    const open = batches.find((addressed) => addressed.to === to);
    if (open === undefined) batches.push({ to, batch: alone(entry, size) });
    else if (open.batch.size + size <= limit) put(open.batch, entry, size);
    else {
      send(to, open.batch);
      open.batch = alone(entry, size);
    }
    review();
  }

  return { add, review, flush };
}

function put<Item extends Outgoing>(batch: Batch<Item>, entry: Item, size: number): void {
  batch.entries.push(entry);
  batch.size += size;
}

const alone = <Item extends Outgoing>(entry: Item, size: number): Batch<Item> => ({ entries: [entry], size });
