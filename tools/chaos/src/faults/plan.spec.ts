import { describe, expect, it } from '@jest/globals';
import { createRandom } from '@practice/start';
import { eachFault, kinds, kindsWith, nextFault, type Fault, type Kind, type Targets } from './plan.js';

const targets: Targets = {
  kill: ['gateway', 'postgres'],
  restart: ['live'],
  pause: ['clients'],
  cut: ['gateway–nats-server'],
  silence: ['clients–postgres'],
  rollback: ['stream'],
  loss: ['stream'],
  disk: ['reserve', 'everything'],
  leader: ['stream'],
  failover: ['machine', 'switchover'],
};

function faultsOf(seed: number): Fault[] {
  const random = createRandom(seed);
  return Array.from({ length: 300 }, () => nextFault(random, kinds, targets));
}

describe('the faults of a run', () => {
  it('are the same only for the same seed', () => {
    expect(faultsOf(7)).toEqual(faultsOf(7));
    expect(faultsOf(7)).not.toEqual(faultsOf(8));
  });

  it('include every kind, each on a target of that kind', () => {
    const faults = faultsOf(1);
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(kinds));
    for (const { kind, target } of faults) expect(targets[kind]).toContain(target);
  });

  it('include no kind that has no target', () => {
    const random = createRandom(1);
    const bare = { ...targets, disk: [], leader: [] };
    const faults = Array.from({ length: 300 }, () => nextFault(random, kinds, bare));
    const rest = kinds.filter((kind) => !['disk', 'leader'].includes(kind));
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(rest));
    expect(() => nextFault(random, ['disk', 'leader'], bare)).toThrow(
      'nothing can have the faults disk, leader',
    );
  });

  it('are other kinds with clusters than with the built-in servers', () => {
    const all = kindsWith(['nats', 'postgres']);
    const only = (some: readonly Kind[], others: readonly Kind[]): Kind[] =>
      some.filter((kind) => !others.includes(kind));
    expect(only(all, kindsWith([]))).toEqual(['leader', 'failover']);
    expect(only(kindsWith([]), all)).toEqual(['rollback', 'loss', 'disk']);
    expect(only(kindsWith(['postgres']), all)).toEqual(['rollback', 'loss']);
    expect(new Set([...all, ...kindsWith([])])).toEqual(new Set(kinds));
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

  it('keep a lost leader of Postgres away for longer than its lease of five seconds', () => {
    const failovers = faultsOf(1).filter(({ kind }) => kind === 'failover');
    expect(failovers.length).toBeGreaterThan(0);
    for (const { milliseconds } of failovers) expect(milliseconds).toBeGreaterThan(5000);
  });
});
