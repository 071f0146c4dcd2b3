import { describe, expect, it } from '@jest/globals';
import { rebuildArguments } from './run-rebuild.js';

describe('the arguments of a rebuild', () => {
  it('ask to replace the tables, or with --check only to compare them', () => {
    expect(rebuildArguments([])).toEqual({ check: false });
    expect(rebuildArguments(['--check'])).toEqual({ check: true });
  });

  it.each([[['--chek']], [['check']], [['--check=no']]])('are rejected if unknown: %j', (args) => {
    expect(rebuildArguments(args)).toEqual(expect.any(String));
  });
});
