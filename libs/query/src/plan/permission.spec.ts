import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type PracticeRole } from '@practice/core';
import { catalogOf, column, resource } from '@practice/resource';
import {
  compileRead,
  compileReturning,
  compileTargets,
  parseRequest,
  planRead,
  planWrite,
  PreparedRead,
} from '../index.js';
import type { PlanContext } from '../index.js';
import { practice, requestOf, type Sample } from '../testing/sample.js';

const guests = resource({
  name: 'guests',
  service: 'house',
  aggregate: 'guest',
  description: 'Guests.',
  columns: {
    name: column.text({}),
    debt: column.integer({ default: 0 }),
    host_id: column.uuid({ references: 'hosts' }),
  },
  events: { GuestAdded: 'created', GuestChanged: 'others', GuestRemoved: 'deleted' },
  uniques: [{ name: 'guests_debt_key', columns: ['debt'] }],
  roles: {
    front_desk: { may: 'write', shows: ['name', 'host_id', 'created_at'] },
    billing: { may: 'read', shows: ['name', 'debt', 'created_at'] },
  },
});

const hosts = resource({
  name: 'hosts',
  service: 'house',
  aggregate: 'host',
  description: 'Hosts.',
  columns: { name: column.text({}) },
  events: { HostAdded: 'created' },
  roles: { billing: 'read' },
});

const contextOf = (practiceRole: PracticeRole): PlanContext => ({
  catalog: catalogOf([guests, hosts]),
  therapistId: practice,
  practiceRole,
});

/** The text of the statement that a request leads to, or its error. */
function outcome(practiceRole: PracticeRole, query: string, sample: Sample = {}): string {
  const context = contextOf(practiceRole);
  const parsed = parseRequest(requestOf(query, { resource: 'guests', ...sample }));
  const found = outcomeOf(() => {
    if (['GET', 'HEAD'].includes(parsed.method)) return compileRead(planRead(parsed, context), practice).text;
    const plan = planWrite(parsed, context);
    if (plan.returning !== null) return compileReturning(plan, []).text;
    return plan.kind === 'update' || plan.kind === 'delete' ? compileTargets(plan).text : plan.kind;
  });
  return typeof found === 'string' ? found : `${found.code} ${found.message}`;
}

const hidden = '42501 permission denied for column "debt" of relation "guests"';
const denied = '42501 permission denied for table guests';
const representation = { prefer: 'return=representation' };

describe('a role that may write records but does not see a column', () => {
  const body = { name: 'Ann' };
  const patch = (given: object): Sample => ({ method: 'PATCH', body: given });

  it('writes the other columns, and gets only them back', () => {
    expect(outcome('front_desk', '', { method: 'POST', body })).toBe('insert');
    const returned = outcome('front_desk', '', { method: 'POST', body, headers: representation });
    expect(returned).toContain('"name"');
    expect(returned).not.toMatch(/debt|\._json|updated_at/);
  });

  it.each<[string, string, Sample]>([
    ['in a new record', '', { method: 'POST', body: { ...body, debt: 1 } }],
    ['in one of several', '', { method: 'POST', body: [{ debt: 1 }, { debt: 2 }] }],
    ['in the listed columns', 'columns=name,debt', { method: 'POST', body }],
    ['in CSV', '', { method: 'POST', body: 'name,debt\na,1', headers: { 'content-type': 'text/csv' } }],
    ['in a change', 'name=eq.a', patch({ debt: 1 })],
    ['in the filter of a change', 'debt=gt.1', patch(body)],
    ['in the filter of a deletion', 'or=(debt.gt.1,name.eq.a)', { ...patch(body), method: 'PATCH' }],
    ['in a whole record', 'id=eq.1', { method: 'PUT', body: { id: '1', debt: 1 } }],
    [
      'in an upsert',
      '',
      { method: 'POST', body: { debt: 1 }, headers: { prefer: 'resolution=merge-duplicates' } },
    ],
    [
      'as a conflict target',
      'on_conflict=debt',
      { method: 'POST', body, headers: { prefer: 'resolution=ignore-duplicates' } },
    ],
    ['in a representation', 'select=debt', { method: 'POST', body, headers: representation }],
    ['in the order of a representation', 'order=debt', { method: 'POST', body, headers: representation }],
  ])('may not name the hidden column %s', (_, query, sample) => {
    expect(outcome('front_desk', query, sample)).toBe(hidden);
  });

  it('may not send back the time of the last change', () => {
    const sent = outcome('front_desk', 'name=eq.a', patch({ updated_at: '2030-01-01T00:00:00Z' }));
    expect(sent).toBe('42501 permission denied for column "updated_at" of relation "guests"');
  });

  it('gets no version of a record', () => {
    const versioned = (role: PracticeRole): boolean =>
      outcome(role, `id=eq.${practice}`).includes('AS version');
    expect([versioned('owner'), versioned('front_desk')]).toEqual([true, false]);
  });

  it('may not delete', () => {
    expect(outcome('front_desk', 'name=eq.a', { method: 'DELETE' })).toBe(denied);
  });
});

describe('a relation', () => {
  it('cannot be followed by a role that does not see the referring column', () => {
    const refused = '42501 permission denied for column "host_id" of relation "guests"';
    expect(outcome('billing', 'select=hosts(name)')).toBe(refused);
    expect(outcome('billing', 'select=guests(name)', { resource: 'hosts' })).toBe(refused);
    expect(outcome('therapist', 'select=hosts(name)')).toContain('"hosts"');
  });

  it('to records that a role may not read is refused, also in a write whose response has no records', () => {
    const related = 'select=hosts(name)';
    const refused = '42501 permission denied for table hosts';
    expect(outcome('front_desk', related)).toBe(refused);
    expect(outcome('front_desk', related, { method: 'POST', body: { name: 'a' } })).toBe(refused);
  });
});

describe('a prepared read', () => {
  it('is planned for each role', () => {
    const prepared = new PreparedRead(parseRequest(requestOf('', { resource: 'guests' })));
    const textFor = (role: PracticeRole): string => prepared.for(contextOf(role)).query.text;
    expect(textFor('owner')).toContain('._json');
    expect(textFor('front_desk')).not.toMatch(/\._json|debt/);
    expect(textFor('billing')).toContain('debt');
    expect(textFor('owner')).toBe(textFor('therapist'));
    expect(() =>
      new PreparedRead(parseRequest(requestOf('select=debt', { resource: 'guests' }))).for(
        contextOf('front_desk'),
      ),
    ).toThrow('42501');
  });
});
