import { describe, expect, it } from '@jest/globals';
import { rebuildArguments } from './run-rebuild.js';

describe('what a rebuild is asked for', () => {
  it('is to replace, or to compare alone', () => {
    expect(rebuildArguments([])).toEqual({ check: false });
    expect(rebuildArguments(['--check'])).toEqual({ check: true });
  });

  it.each([[['--chek']], [['check']], [['--check=no']]])('and nothing else: %j', (args) => {
    expect(rebuildArguments(args)).toEqual(expect.any(String));
  });
});
