import { expect, it } from '@jest/globals';
import { findProgram } from './programs.js';

it('the version of a program that prints none counts as unreadable, not as too old', async () => {
  const cat = { program: 'cat', debian: 'coreutils', since: '1.0', versionOption: '/dev/null' } as const;
  await expect(findProgram(cat)).rejects.toThrow(/cat \/dev\/null prints no version/);
});
