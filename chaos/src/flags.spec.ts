import { expect, it } from '@jest/globals';
import { flagsIn } from './flags.js';

it('reads options', () => {
  expect(flagsIn(['--minutes', '30', '--seed', '7', '--faults', 'kill,cut'])).toEqual({
    ...{ minutes: 30, seed: 7, practices: 20 },
    faults: ['kill', 'cut'],
  });
});

it('reads how often each target is struck', () => {
  expect(flagsIn(['--each', '10'])).toMatchObject({ each: 10 });
});

it.each([
  [['--each', 'all'], '--each must be'],
  [['--minutes', '0'], '--minutes must be'],
  [['--seed', 'x'], '--seed must be'],
  [['--faults', 'kill,flood'], 'There is no fault flood'],
  [['--speed', '1'], "Unknown option '--speed'"],
])('refuses %j', (args, message) => {
  expect(() => flagsIn(args)).toThrow(message);
});
