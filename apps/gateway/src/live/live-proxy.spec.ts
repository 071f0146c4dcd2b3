import { describe, expect, it } from '@jest/globals';
import { LiveProcesses } from './live-proxy.js';

describe('live processes', () => {
  it('have the same order for one key, divide the keys among themselves, and come last for a second after they failed', () => {
    const processes = new LiveProcesses(['a', 'b', 'c']);
    const keys = Array.from({ length: 60 }, (_, index) => `practice ${index}`);
    const order = keys.map((key) => processes.inOrderOf(key));
    expect(keys.map((key) => processes.inOrderOf(key))).toEqual(order);
    expect(new Set(order.map(([first]) => first)).size).toBe(3);
    const [[first, second] = []] = order;
    processes.failed(String(first), 1_000);
    expect(processes.inOrderOf('practice 0', 1_500)[0]).toBe(second);
    expect(processes.inOrderOf('practice 0', 2_000)[0]).toBe(first);
  });

  it('may be an empty list', () => expect(new LiveProcesses([]).inOrderOf('practice')).toEqual([]));
});
