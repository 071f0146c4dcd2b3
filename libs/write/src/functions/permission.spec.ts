import { describe, expect, it } from '@jest/globals';
import type { Identity, PracticeRole } from '@practice/core';
import { defineFunction, returns } from '@practice/resource';
import { checkPermission } from './permission.js';

const defined = (effect: 'reads' | 'writes', role: PracticeRole = 'therapist') =>
  defineFunction({
    ...{ name: 'look', service: 'clients', description: 'Looks.' },
    ...{ arguments: {}, returns: returns.nothing, effect, roles: [role] },
  });

const member: Identity = { therapistId: 'p', userId: 'u', practiceRole: 'front_desk', sessionId: 's' };
const during: Identity = { ...member, breakGlass: { id: 'g', until: Date.now() + 60_000 } };
const afterwards: Identity = { ...member, breakGlass: { id: 'g', until: Date.now() - 1 } };

describe('the permission to call a function', () => {
  it('belongs to the roles of its definition', () => {
    expect(() => checkPermission(defined('reads'), { ...member, practiceRole: 'therapist' })).not.toThrow();
    expect(() => checkPermission(defined('reads'), member)).toThrow('42501');
  });

  it('is given by break-glass access for functions that read, until it ends', () => {
    expect(() => checkPermission(defined('reads'), during)).not.toThrow();
    expect(() => checkPermission(defined('reads', 'front_desk'), during)).not.toThrow();
    expect(() => checkPermission(defined('writes'), during)).toThrow('42501');
    expect(() => checkPermission(defined('reads'), afterwards)).toThrow('42501');
  });
});
