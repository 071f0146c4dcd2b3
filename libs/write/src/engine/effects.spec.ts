import { expect, it } from '@jest/globals';
import { memberships } from '@practice/contracts';
import { Effects, type WriteEffect } from './effects.js';

const begin: WriteEffect['begin'] = () => ({ statements: [], committed: () => undefined });

it('a resource whose changes can be undone cannot have effects, because an undo would not run them', () => {
  const effect = { resource: memberships, begin };
  expect(new Effects([effect]).ofOneWrite().existFor(memberships)).toBe(true);
  expect(() => new Effects([effect, { resource: { name: 'lamps' }, begin }])).toThrow(
    'changes of lamps have effects, so they cannot be undone',
  );
});
