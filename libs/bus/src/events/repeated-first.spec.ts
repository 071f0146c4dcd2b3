import { describe, expect, it } from '@jest/globals';
import type { Delivery } from './delivery.js';
import { repeatedFirst } from './repeated-first.js';

function delivery(streamSequence: number, redelivered: boolean): Delivery {
  const nothing = (): void => {};
  const data = new Uint8Array();
  return {
    streamSequence,
    redelivered,
    deliverySequence: 0,
    subject: '',
    data,
    ack: nothing,
    working: nothing,
  };
}

function recorded() {
  const passed: number[] = [];
  return { passed, order: repeatedFirst(({ streamSequence }) => void passed.push(streamSequence)) };
}

describe('deliveries after a takeover', () => {
  it('wait until all pending deliveries have arrived, and are then passed on in order', () => {
    const { passed, order } = recorded();
    order.expect(3);
    for (const sequence of [7, 5]) order.take(delivery(sequence, true));
    expect(passed).toEqual([]);
    order.take(delivery(6, true));
    expect(passed).toEqual([5, 6, 7]);
    order.take(delivery(8, false));
    expect(passed).toEqual([5, 6, 7, 8]);
  });

  it('are passed on at once when none was pending, even if they arrive before the count is known', () => {
    const { passed, order } = recorded();
    order.take(delivery(1, false));
    order.expect(0);
    order.take(delivery(2, false));
    expect(passed).toEqual([1, 2]);
  });

  it.each([
    [
      'a new delivery arrives',
      (order: ReturnType<typeof repeatedFirst>) => order.take(delivery(9, false)),
      [5, 7, 9],
    ],
    ['a heartbeat arrives', (order: ReturnType<typeof repeatedFirst>) => order.repeatedAll(), [5, 7]],
  ])('wait no longer than until %s', (_what, end, expected) => {
    const { passed, order } = recorded();
    order.expect(4);
    for (const sequence of [7, 5]) order.take(delivery(sequence, true));
    end(order);
    expect(passed).toEqual(expected);
  });

  it('do not wait again when a delivery is repeated later', () => {
    const { passed, order } = recorded();
    order.expect(0);
    order.take(delivery(1, false));
    order.take(delivery(1, true));
    expect(passed).toEqual([1, 1]);
  });
});
