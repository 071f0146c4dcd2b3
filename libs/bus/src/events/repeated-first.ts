import type { Delivery } from './delivery.js';

export type RepeatedFirst = ReturnType<typeof repeatedFirst>;

/**
 * Sorts the repeated deliveries that come first. The server repeats deliveries before it sends anything new, but a delivery that had
 * already timed out comes before older ones. The expected count may include deliveries that have just been acknowledged, so a new
 * delivery or a heartbeat also ends the wait.
 */
export function repeatedFirst(deliver: (delivery: Delivery) => void) {
  let repeated: Delivery[] | undefined = [];
  let expected = Infinity;

  /** Call this when the server has nothing more to repeat. */
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
  /** Sets how many deliveries the server will repeat, because an earlier process did not acknowledge them. */
  function expect(count: number): void {
    expected = count;
    if (repeated !== undefined && repeated.length >= count) repeatedAll();
  }
  return { take, expect, repeatedAll };
}
