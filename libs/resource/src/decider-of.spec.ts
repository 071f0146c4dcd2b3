import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '@practice/core';
import { column } from './column.js';
import type { Command, LookupContext } from './decider.js';
import { deciderOf, type RecordRules } from './decider-of.js';
import { resource, type Resource } from './resource.js';
import type { Row } from './row.js';

const standard = { service: 'houses', description: '' };
const rooms = resource({
  ...standard,
  name: 'rooms',
  aggregate: 'room',
  columns: {
    house_id: column.uuid({ references: 'houses', shares: ['street'] }),
    street: column.text({}),
    doors: column.integer({ default: 1 }),
    state: column.text({ default: 'empty' }),
    number: column.integer({ readOnly: true }),
  },
  events: {
    RoomAdded: 'created',
    RoomChanged: 'others',
    RoomNumbered: ['number'],
    RoomRemoved: 'deleted',
  },
});

const context = {
  now: '2026-05-01T08:00:00+00:00',
  rows: () => [{ id: 'h1', street: 'Elm' }],
} as unknown as LookupContext;
const room: Row = { id: 'r1', house_id: null, street: null, doors: 1, state: 'empty', number: null };
const create = (but: Row = {}): Command => ({ kind: 'create', record: { ...room, ...but } });
const change = (changes: Row): Command => ({ kind: 'change', changes });

function decided(command: Command, state: Row | null = null, rules: RecordRules<typeof rooms> = {}): unknown {
  const decider = deciderOf(rooms, rules);
  return outcomeOf(() => decider.decide(command as never, state as never, context));
}

describe('a decider made from a definition', () => {
  it('has the event of the definition for each command', () => {
    expect(decided(create())).toEqual([{ type: 'RoomAdded', data: room }]);
    expect(decided(change({ doors: 2, number: 7 }), room)).toEqual([
      { type: 'RoomChanged', data: { doors: 2 } },
      { type: 'RoomNumbered', data: { number: 7 } },
    ]);
    expect(decided({ kind: 'delete' }, room)).toEqual([{ type: 'RoomRemoved', data: {} }]);
  });

  it('cannot be made without an event for a command', () => {
    const walls = { ...rooms, name: 'walls', events: { WallAdded: 'created' } } as Resource;
    expect(() => deciderOf(walls)).toThrow('walls has no event for every kind of command');
  });

  it('adds the values that the rules compute, or returns the events of the rules', () => {
    const rules: RecordRules<typeof rooms> = {
      create: ({ doors }) => ({ number: doors * 10 }),
      change: () => [{ type: 'RoomNumbered', data: { number: 1 } }],
      remove: () => [],
    };
    expect(decided(create(), null, rules)).toEqual([{ type: 'RoomAdded', data: { ...room, number: 10 } }]);
    expect(decided(change({ doors: 2 }), room, rules)).toEqual([
      { type: 'RoomNumbered', data: { number: 1 } },
    ]);
    expect(decided({ kind: 'delete' }, room, rules)).toEqual([]);
  });

  it('lets only the server set read-only and kept columns of a new record, except in an undo', () => {
    expect(decided(create({ number: 7 }))).toMatchObject({ code: '428C9' });
    expect(decided(create({ state: 'full' }), null, { kept: ['state'] })).toMatchObject({ code: '428C9' });
    expect(decided({ ...create({ number: 7 }), isUndo: true } as Command)).toHaveLength(1);
  });
});

describe('a shared column', () => {
  it('of a new record has the value of the record that it refers to', () => {
    expect(decided(create({ house_id: 'h1' }))).toMatchObject([{ data: { street: 'Elm' } }]);
  });

  it('cannot have another value', () => {
    expect(decided(create({ house_id: 'h1', street: 'Oak' }))).toMatchObject({ code: '23503' });
    expect(decided(change({ street: 'Oak' }), { ...room, house_id: 'h1', street: 'Elm' })).toMatchObject({
      code: '23503',
    });
    expect(decided(change({ doors: 2 }), { ...room, house_id: 'h1', street: 'Oak' })).toHaveLength(1);
  });
});
