// Ids of records, events and log rows: UUIDs of version 7 (RFC 9562), which sort in the order of their creation.

import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes for many ids. They are fetched together, because each fetch is a system call. */
const pool = new Uint8Array(16 * 256);
let used = pool.length;

let milliseconds = -Infinity;
let sequence = 0;

/** A new UUID of version 7. The ids of one process sort in the order of the calls, even within a millisecond. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, (used += 16));
  const now = Date.now();
  if (now > milliseconds) {
    milliseconds = now;
    sequence = startOf(random);
  } else {
    sequence = (sequence + 1) | 0;
    // All 32 bits are used up: the next millisecond begins early.
    if (sequence === 0) milliseconds += 1;
  }
  return v7({ random, msecs: milliseconds, seq: sequence });
}

/** A random 31-bit number, so that half of the 32-bit sequence is left. `v7` itself uses only the last six bytes. */
const startOf = ([, , , , , , a = 0, b = 0, c = 0, d = 0]: Uint8Array): number =>
  ((a & 0x7f) << 24) | (b << 16) | (c << 8) | d;
