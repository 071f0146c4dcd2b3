import { describe, expect, it } from '@jest/globals';
import { createRandom } from '@practice/dev';
import { eachFault, kinds, nextFault, type Fault } from './plan.js';

const targets = { processes: ['gateway', 'postgres'], wires: ['gateway–nats-server'] };

function faultsOf(seed: number): Fault[] {
  const random = createRandom(seed);
  return Array.from({ length: 300 }, () => nextFault(random, kinds, targets));
}

describe('the faults of a run', () => {
  it('are the same for the same seed only', () => {
    expect(faultsOf(7)).toEqual(faultsOf(7));
    expect(faultsOf(7)).not.toEqual(faultsOf(8));
  });

  it('have every kind, each with a target that it can have', () => {
    const faults = faultsOf(1);
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(kinds));
    for (const { kind, target } of faults)
      if (kind === 'cut' || kind === 'silence') expect(targets.wires).toContain(target);
      else if (kind === 'rollback' || kind === 'loss') expect(target).toBe('stream');
      else expect(targets.processes).toContain(target);
  });

  it('strike each target of each kind in turn, as often as asked', () => {
    const faults = [...eachFault(createRandom(1), ['kill', 'cut'], { targets, times: 2 })];
    const round = ['kill gateway', 'kill postgres', 'cut gateway–nats-server'];
    expect(faults.map(({ kind, target }) => `${kind} ${target}`)).toEqual([...round, ...round]);
  });

  it('pause for one to ten seconds', () => {
    const pauses = faultsOf(1).filter(({ kind }) => kind === 'pause');
    for (const { milliseconds } of pauses) {
      expect(milliseconds).toBeGreaterThanOrEqual(1000);
      expect(milliseconds).toBeLessThan(10_000);
    }
  });
});
