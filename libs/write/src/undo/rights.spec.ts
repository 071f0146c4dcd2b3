import { describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import { Rejection, type Identity } from '@practice/core';
import type { Resource } from '@practice/resource';
import { checkStepRights } from './rights.js';
import type { StepBack } from './steps.js';

const owner: Identity = { therapistId: 'p', userId: 'u', practiceRole: 'owner' };

function outcome(resource: string, kind: StepBack['kind'], caller: Partial<Identity> = {}): string {
  const step = { resource: catalog.resources.get(resource) as Resource, kind } as StepBack;
  try {
    checkStepRights([step], { ...owner, ...caller });
    return 'permitted';
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return error.problem.code;
  }
}

describe('the right to a step of an undo', () => {
  it('is that to delete for a record that goes, and to write for every other one', () => {
    const frontDesk = { practiceRole: 'front_desk' } as const;
    expect(outcome('clients', 'remove', frontDesk)).toBe('42501');
    expect(outcome('clients', 'set back', frontDesk)).toBe('permitted');
    expect(outcome('clients', 'bring back', frontDesk)).toBe('permitted');
    expect(outcome('sessions', 'set back', frontDesk)).toBe('42501');
  });

  it('needs the scope of the resource', () => {
    expect(outcome('clients', 'set back', { scopes: ['rpc:undo', 'clients:write'] })).toBe('permitted');
    expect(outcome('expenses', 'set back', { scopes: ['rpc:undo', 'clients:write'] })).toBe('42501');
    expect(outcome('clients', 'set back', { scopes: ['rpc:undo', 'clients:read'] })).toBe('42501');
  });

  it('does not exist for a role that does not see every column', () => {
    const [name, role] = ['clients', 'billing'] as const;
    const clients = catalog.resources.get(name) as Resource;
    const resource = { ...clients, roles: { billing: { may: 'delete', shows: ['name'] } } } as Resource;
    const steps = [{ resource, kind: 'set back' } as StepBack];
    expect(() => checkStepRights(steps, { ...owner, practiceRole: role })).toThrow('42501');
    expect(() => checkStepRights(steps, owner)).not.toThrow();
  });

  it('does not exist where changes cannot be undone', () => {
    expect(outcome('memberships', 'set back')).toBe('0A000');
  });
});
