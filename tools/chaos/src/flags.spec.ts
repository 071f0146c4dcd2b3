import { expect, it } from '@jest/globals';
import { flagsIn } from './flags.js';

it('reads options', () => {
  expect(flagsIn(['--minutes', '30', '--seed', '7', '--faults', 'kill,cut'])).toEqual({
    minutes: 30,
    seed: 7,
    practices: 20,
    faults: ['kill', 'cut'],
    cluster: [],
  });
});

it('defaults to the kinds of faults that apply to clusters, or to the built-in servers', () => {
  expect(flagsIn([])?.faults).toEqual(expect.arrayContaining(['kill', 'rollback', 'loss', 'disk']));
  expect(flagsIn([])?.faults).not.toContain('failover');
  const faults = ['kill', 'restart', 'pause', 'cut', 'silence', 'leader', 'failover'];
  expect(flagsIn(['--cluster', 'nats,postgres'])).toMatchObject({ cluster: ['nats', 'postgres'], faults });
  expect(flagsIn(['--cluster', 'nats'])?.faults).toEqual(faults.slice(0, -1));
});

it('reads how often each target is struck', () => {
  expect(flagsIn(['--each', '10'])).toMatchObject({ each: 10 });
});

it.each([
  [['--each', 'all'], '--each must be'],
  [['--minutes', '0'], '--minutes must be'],
  [['--seed', 'x'], '--seed must be'],
  [
    ['--faults', 'kill,flood'],
    '--faults takes kill, restart, pause, cut, silence, rollback, loss, disk, leader, failover, not flood',
  ],
  [['--faults', 'kill,leader'], 'leader cannot come without --cluster'],
  [['--cluster', 'nats', '--faults', 'loss,disk,kill'], 'loss, disk cannot come with --cluster nats'],
  [['--cluster', 'redis'], '--cluster takes nats, postgres, not redis'],
  [['--speed', '1'], "Unknown option '--speed'"],
])('refuses %j', (args, message) => {
  expect(() => flagsIn(args)).toThrow(message);
});
