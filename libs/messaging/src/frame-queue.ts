// Collects what one event-loop tick has to say to each receiver.

import { entrySize } from './frame.js';
import type { Outgoing } from './frame.js';

/** What goes out as one frame. */
export interface Batch<Item extends Outgoing> {
  readonly entries: Item[];
  /** The frame's length in bytes. */
  size: number;
}

export interface FrameQueue<Item extends Outgoing> {
  /** Sends the entry at the end of this tick, together with all others to the same receiver. */
  add(to: string, entry: Item): void;
  /** Sends everything now. */
  flush(): void;
}

/**
 * A queue that flushes itself by `setImmediate`: after the sockets' data of this tick, before anything waits.
 * @param limit bytes of one frame; a batch that would grow beyond it is sent at once. One bigger entry goes alone
 * @param send puts one frame on the bus; must not throw
 */
export function createFrameQueue<Item extends Outgoing>(
  limit: number,
  send: (to: string, batch: Batch<Item>) => void,
): FrameQueue<Item> {
  const batches = new Map<string, Batch<Item>>();
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    for (const [to, batch] of batches) {
      batches.delete(to);
      send(to, batch);
    }
  }

  function add(to: string, entry: Item): void {
    const size = entrySize(entry);
    let batch = batches.get(to);
    if (batch !== undefined && batch.size + size > limit) {
      batches.delete(to);
      send(to, batch);
      batch = undefined;
    }
    if (batch === undefined) batches.set(to, { entries: [entry], size });
    else {
      batch.entries.push(entry);
      batch.size += size;
    }
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }

  return { add, flush };
}
