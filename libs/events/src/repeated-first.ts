import type { Delivery } from './delivery.js';

export interface RepeatedFirst {
  take(delivery: Delivery): void;
  /** So many were delivered before and not acknowledged. */
  expect(count: number): void;
  /** The server has nothing more to repeat. */
  repeatedAll(): void;
}

/**
 * Sorts the repeated deliveries that come first. The server sends them before anything new, but those whose time
 * ran out before it was asked to repeat them come ahead of older ones. The count may include some that were
 * acknowledged just then, so a new delivery or a heartbeat ends the wait as well.
 */
export function repeatedFirst(deliver: (delivery: Delivery) => void): RepeatedFirst {
  let repeated: Delivery[] | undefined = [];
  let expected = Infinity;

  function repeatedAll(): void {
    const held = repeated ?? [];
    repeated = undefined;
    held.sort((one, other) => one.streamSequence - other.streamSequence).forEach(deliver);
  }
  function take(delivery: Delivery): void {
    if (repeated === undefined) return deliver(delivery);
    if (!delivery.redelivered) {
      repeatedAll();
      return deliver(delivery);
    }
    repeated.push(delivery);
    if (repeated.length >= expected) repeatedAll();
  }
  function expect(count: number): void {
    expected = count;
    if (repeated !== undefined && repeated.length >= count) repeatedAll();
  }
  return { take, expect, repeatedAll };
}
