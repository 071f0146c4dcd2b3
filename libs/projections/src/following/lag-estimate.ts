interface Seen {
  readonly sequence: number;
  /** Milliseconds. */
  readonly at: number;
}

/** Each call of `seconds` adds at most one entry. */
const MOST_SEEN = 10_000;

/**
 * Estimates how long the oldest unhandled event of a subscription has waited. Only the administrator of the stream may read its
 * messages with their times, so this class notes when it first saw each end of the stream. The estimate is too small by at most
 * the time between two calls, and starts at 0 with the process.
 */
export class LagEstimate {
  private readonly seen: Seen[] = [];

  private get newest(): number {
    return this.seen.at(-1)?.sequence ?? 0;
  }

  /**
   * @param progress the last sequence up to which all events are handled, and the last of the stream
   * @param now milliseconds on a clock that never goes back
   */
  seconds({ handled, last }: { readonly handled: number; readonly last: number }, now: number): number {
    // The stream was made again, with fewer messages.
    while (this.newest > last) this.seen.pop();
    while ((this.seen[0]?.sequence ?? Infinity) <= handled) this.seen.shift();
    const isNew = last > Math.max(handled, this.newest);
    if (isNew && this.seen.length < MOST_SEEN) this.seen.push({ sequence: last, at: now });
    return this.seen[0] === undefined ? 0 : (now - this.seen[0].at) / 1000;
  }
}
