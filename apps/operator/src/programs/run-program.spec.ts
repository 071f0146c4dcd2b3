import { describe, expect, it } from '@jest/globals';
import { machineEnvironment } from '../settings/operator.config.js';
import { runNode } from './run-program.js';

describe('the exit code of a program', () => {
  it.each([
    ['process.exit(1)', 1],
    [`process.kill(process.pid, 'SIGKILL')`, 2],
  ])('%s is %d', async (code, expected) => {
    expect(await runNode(['-e', code], machineEnvironment())).toBe(expected);
  });
});
