import { describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import { outcomeOf, type Identity, type Problem } from '@practice/core';
import type { NewEvent } from '@practice/log';
import type { Resource } from '@practice/resource';
import { checkFollows, checkStepRights } from './rights.js';
import type { StepBack } from './steps.js';

const owner: Identity = { therapistId: 'p', userId: 'u', practiceRole: 'owner' };

function outcome(resource: string, kind: StepBack['kind'], caller: Partial<Identity> = {}): string {
  const step = { resource: catalog.resources.get(resource) as Resource, kind } as StepBack;
  const refusal = outcomeOf(() => checkStepRights([step], { ...owner, ...caller })) as Problem | undefined;
  return refusal?.code ?? 'permitted';
}

describe('the right to a step of an undo', () => {
  it('is the right to delete if the step removes the record, and the right to write otherwise', () => {
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

  it('is not needed for a record that followed others, unless the step has an event of its own', () => {
    const invoices = catalog.resources.get('invoices') as Resource;
    const step = { resource: invoices, kind: 'set back', event: { streamId: 'i' } } as unknown as StepBack;
    const frontDesk: Identity = { ...owner, practiceRole: 'front_desk' };
    const event = (aggregate: string, streamId: string) => ({ aggregate, streamId }) as NewEvent;
    expect(outcome('invoices', 'set back', frontDesk)).toBe('permitted');
    expect(outcome('invoices', 'remove', frontDesk)).toBe('42501');
    expect(outcome('invoices', 'set back', { ...frontDesk, scopes: ['payments:write'] })).toBe('42501');
    expect(outcome('invoices', 'set back', { practiceRole: 'read_only' })).toBe('42501');
    const others = [event('invoice', 'another'), event('payment', 'i')];
    expect(() => checkFollows(step, frontDesk, others)).not.toThrow();
    expect(() => checkFollows(step, frontDesk, [...others, event('invoice', 'i')])).toThrow('42501');
    expect(() => checkFollows(step, owner, [event('invoice', 'i')])).not.toThrow();
  });

  it('does not exist where changes cannot be undone', () => {
    expect(outcome('memberships', 'set back')).toBe('0A000');
  });
});
