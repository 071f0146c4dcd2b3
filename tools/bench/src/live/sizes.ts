import type { Flags } from '../flags.js';
import { fullSizes, quickSizes, sizesWith, type Sizes } from '../sizes.js';

const full = {
  /** Practices whose changes are timed, and that have a listener and a webhook each. */
  timed: 20,
  /** Practices with readers of the feed. */
  read: 10,
  readers: 1_000,
  /** Bookings of each practice with readers in one measurement: at most as many as one write may contain. */
  bookings: 50,
  /** Sockets that receive no change, and the practices that they belong to. */
  sockets: 5_000,
  socketPractices: 1_000,
  writesPerSecond: 20,
  delaySeconds: 20,
};

export type LiveSizes = Sizes & Readonly<typeof full>;

const quick = {
  timed: 4,
  read: 2,
  readers: 40,
  bookings: 20,
  sockets: 200,
  socketPractices: 40,
  writesPerSecond: 10,
  delaySeconds: 3,
};

/** The sizes of a run. `practices` counts the practices of the mixed load, and after them the timed ones and the ones with readers. */
export const liveSizes = (flags: Flags): LiveSizes =>
  flags.quick
    ? { ...sizesWith(flags, { ...quickSizes, rounds: 1, practices: 16, practicesWithRecords: 4 }), ...quick }
    : { ...sizesWith(flags, { ...fullSizes, practices: 80, practicesWithRecords: 20 }), ...full };
