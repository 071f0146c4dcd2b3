import { describe, expect, it } from '@jest/globals';
import { LiveProcesses } from './live-proxy.js';

describe('live processes', () => {
  it('are tried in turn', () => {
    const processes = new LiveProcesses(['a', 'b', 'c']);
    const firsts = [1, 2, 3, 4].map(() => processes.inTurn()[0]);
    expect(firsts).toEqual(['b', 'c', 'a', 'b']);
    expect([...processes.inTurn()].sort()).toEqual(['a', 'b', 'c']);
  });

  it('come last for a second after they failed', () => {
    const processes = new LiveProcesses(['a', 'b']);
    processes.failed('a', 1_000);
    expect([processes.inTurn(1_999), processes.inTurn(1_999)]).toEqual([
      ['b', 'a'],
      ['b', 'a'],
    ]);
    expect([processes.inTurn(2_000)[0], processes.inTurn(2_000)[0]].sort()).toEqual(['a', 'b']);
  });

  it('have the same order for one key, and divide the keys among themselves', () => {
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

  it('may be an empty list', () => expect(new LiveProcesses([]).inTurn()).toEqual([]));
});
