// Collects the entries for each receiver during one event-loop tick, or during a few ticks under load.

import { entrySize, type Outgoing } from './frame.js';

/** The entries of one frame. */
export interface Batch<Item extends Outgoing> {
  readonly entries: Item[];
  /** The sum of the entries' sizes in bytes. */
  size: number;
}

export type FrameQueue<Item extends Outgoing> = ReturnType<typeof createFrameQueue<Item>>;

export interface FrameQueueOptions<Item extends Outgoing> {
  /** Size limit of a frame in bytes (at most 48 KiB are used). A batch that would exceed it is sent first. A larger entry gets its own frame. */
  readonly limit: number;
  /** Whether a batch may wait for more entries, since the cost is per message. By default, no batch waits. */
  readonly mayWait?: (to: string, batch: Batch<Item>) => boolean;
  /** Publishes one frame; must not throw. */
  readonly send: (to: string, batch: Batch<Item>) => void;
}

interface Addressed<Item extends Outgoing> {
  readonly to: string;
  batch: Batch<Item>;
}

/**
 * The size limit of a batch. It is below the 64 KiB that a socket delivers at once: a message that arrives in pieces is copied
 * several times by its receiver as it grows. The row "one day, 8 rows" of the benchmark measures this.
 */
const GATHERED_BYTES = 48 * 1024;

/** The longest time that an entry waits for others. */
const LONGEST_WAIT_MS = 1;

/** A queue that sends its entries with `setImmediate`, after the data of this tick's sockets has been read. */
export function createFrameQueue<Item extends Outgoing>(options: FrameQueueOptions<Item>) {
  const { mayWait = () => false, send } = options;
  const limit = Math.min(options.limit, GATHERED_BYTES);
  /** One batch per receiver. An array instead of a Map, for the reason given in `slots.ts`. */
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

  /** Sends everything now. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    sendUnless(() => false);
  }

  /** Checks at the end of this tick whether waiting entries must still wait. */
  function review(): void {
    if (isScheduled || batches.length === 0) return;
    isScheduled = true;
    setImmediate(endTick);
  }

  /** Sends the entry at the end of this tick, or later if `mayWait` allows it, together with all others for the same receiver. */
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
