import { describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import type { Resource, Row } from '@practice/resource';
import { columnsFor, dataOf, isWanted, readSubscription, type RecordChange } from './subscription.js';

const resourceOf = (name: string): Resource => catalog.resources.get(name) as Resource;
const at = '2030-01-07T09:00:00.5+00:00';
const change = (before: object | null, after: object | null, name = 'appointments'): RecordChange => ({
  resource: resourceOf(name),
  before: before as Row | null,
  after: after as Row | null,
  at,
});
const subscription = (given: object, role = 'owner' as const) =>
  readSubscription({ schema: 'public', ...given }, role);
const wants = (given: object, of: RecordChange): boolean =>
  resultOf(isWanted(subscription(given), of, 'owner'));

/** Runs all steps of work. @returns the result */
function resultOf<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const [old, now] = [
  { id: 'a', status: 'scheduled', notes: 'x' },
  { id: 'a', status: 'confirmed', notes: 'x' },
];

describe('a subscription', () => {
  it.each<[string, RecordChange]>([
    ['INSERT', change(null, now)],
    ['UPDATE', change(old, now)],
    ['DELETE', change(now, null)],
  ])('to %s gets only this event, and a subscription to * gets all events', (type, made) => {
    const heard = ['INSERT', 'UPDATE', 'DELETE'].filter((event) =>
      wants({ event, table: 'appointments' }, made),
    );
    expect(heard).toEqual([type]);
    expect(wants({ event: '*', table: 'appointments' }, made)).toBe(true);
    expect(wants({ event: '*', schema: '*', table: '*' }, made)).toBe(true);
    expect(wants({ event: '*', table: 'clients' }, made)).toBe(false);
  });

  it('judges the record after a change, and the record before a deletion', () => {
    const confirmed = { event: '*', table: 'appointments', filter: 'status=eq.confirmed' };
    expect(wants(confirmed, change(old, now))).toBe(true);
    expect(wants(confirmed, change(now, old))).toBe(false);
    expect(wants(confirmed, change(now, null))).toBe(true);
    expect(wants(confirmed, change(old, null))).toBe(false);
  });

  it('gets nothing for a record that one change created and deleted', () => {
    expect(wants({ event: '*', table: 'appointments' }, change(null, null))).toBe(false);
  });

  it.each<[object, string]>([
    [{ table: 'nothing' }, 'table nothing does not exist'],
    [{ table: 'appointments', schema: 'auth' }, 'unknown schema'],
    [{ table: 1 }, 'must be texts'],
    [{ table: '*', filter: 'id=eq.1' }, 'a filter needs a table'],
    [{ table: '*', select: ['id'] }, 'wildcard subscriptions'],
    [{ table: 'appointments', select: 'id' }, 'select'],
    [{ table: 'appointments', select: ['secret'] }, 'invalid column for select secret'],
    [{ table: 'appointments', filter: 'id=x' }, 'Error parsing'],
  ])('%j is refused: %s', (given, reason) => {
    expect(() => subscription(given)).toThrow(reason);
  });

  it('to a table that the role does not read is refused like a table that does not exist', () => {
    const asBilling = (): unknown => readSubscription({ table: 'sessions' }, 'billing');
    expect(asBilling).toThrow('Unable to subscribe to changes: table sessions');
  });
});

describe('a message about a change', () => {
  it('has the record, the previous record and the types of the columns', () => {
    const data = dataOf(change(old, now), { select: ['id', 'status'] }, 'owner');
    expect(JSON.parse(data)).toEqual({
      schema: 'public',
      table: 'appointments',
      type: 'UPDATE',
      commit_timestamp: at,
      columns: [
        { name: 'id', type: 'uuid' },
        { name: 'status', type: 'text' },
      ],
      record: { id: 'a', status: 'confirmed' },
      old_record: { id: 'a', status: 'scheduled' },
      errors: null,
    });
    expect(JSON.parse(dataOf(change(null, now), { select: null }, 'owner'))).not.toHaveProperty('old_record');
    expect(JSON.parse(dataOf(change(now, null), { select: null }, 'owner'))).not.toHaveProperty('record');
  });

  it('never has a confidential column', () => {
    const sessions = resourceOf('sessions');
    const confidential = Object.entries(sessions.columns).filter(
      ([, column]) => column.confidential === true,
    );
    expect(confidential.length).toBeGreaterThan(0);
    const names = [...columnsFor(sessions, 'owner').keys()];
    for (const [name] of confidential) expect(names).not.toContain(name);
  });

  it('has the columns that the role sees, and is not sent if only other columns change', () => {
    const clients = resourceOf('clients');
    const role = (['billing', 'front_desk', 'read_only'] as const).find(
      (each) => columnsFor(clients, each).size < columnsFor(clients, 'owner').size,
    );
    expect(role).toBeDefined();
    if (role === undefined) return;
    const seen = columnsFor(clients, role);
    const hidden = [...columnsFor(clients, 'owner').keys()].find((name) => !seen.has(name)) as string;
    const all = readSubscription({ table: 'clients' }, role);
    const hiddenChange = change({ id: 'a', [hidden]: 1 }, { id: 'a', [hidden]: 2 }, 'clients');
    expect(resultOf(isWanted(all, hiddenChange, role))).toBe(false);
    expect(resultOf(isWanted(all, hiddenChange, 'owner'))).toBe(true);
    expect(
      JSON.parse(dataOf(change(null, { id: 'a', [hidden]: 1 }, 'clients'), all, role)),
    ).not.toHaveProperty(`record.${hidden}`);
  });
});
