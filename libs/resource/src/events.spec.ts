import { describe, expect, it } from '@jest/globals';
import { column } from './column.js';
import { changedEvents, eventTypeWith } from './events.js';
import { resource } from './resource.js';

const about = { name: 'rooms', service: 'houses', aggregate: 'room', description: '' };

const rooms = resource({
  ...about,
  columns: {
    name: column.text({ required: true }),
    floor: column.integer({}),
    colour: column.text({}),
    size: column.integer({ default: 1 }),
    state: column.text({ default: 'open', oneOf: ['open', 'closed'] }),
    place: column.integer({ default: 0, internal: true }),
  },
  events: {
    RoomAdded: 'created',
    RoomChanged: 'others',
    RoomMoved: { shape: ['floor'], version: 2, upcast: { 1: (data) => data } },
    RoomOpened: ['state'],
    RoomClosed: ['state'],
    RoomRemoved: 'deleted',
  },
});

const choice = {
  state: (state: 'open' | 'closed') => (state === 'open' ? 'RoomOpened' : 'RoomClosed'),
} as const;

describe('the event marked as others', () => {
  it('has every column that no other change event lists, except internal columns', () => {
    expect(rooms.events).toEqual({
      RoomAdded: 'created',
      RoomChanged: ['name', 'colour', 'size'],
      RoomMoved: ['floor'],
      RoomOpened: ['state'],
      RoomClosed: ['state'],
      RoomRemoved: 'deleted',
      RoomRestored: 'restored',
    });
  });

  it('can be only one event of a definition', () => {
    const define = () =>
      resource({ ...about, columns: {}, events: { A: 'created', B: 'others', C: 'others' } });
    expect(define).toThrow('rooms: only one event can hold the other columns');
  });
});

describe('the events of a change', () => {
  it('are one for each event type, in the order of the definition', () => {
    expect(changedEvents(rooms, { floor: 2, size: 3, name: 'Blue' }, choice)).toEqual([
      { type: 'RoomChanged', data: { size: 3, name: 'Blue' } },
      { type: 'RoomMoved', data: { floor: 2 } },
    ]);
  });

  it('are chosen by the caller if several events have the column', () => {
    expect(changedEvents(rooms, { state: 'closed' }, choice)).toEqual([
      { type: 'RoomClosed', data: { state: 'closed' } },
    ]);
  });

  it('can contain null', () => {
    expect(changedEvents(rooms, { colour: null }, choice)).toEqual([
      { type: 'RoomChanged', data: { colour: null } },
    ]);
  });

  it('have internal columns in the first of them', () => {
    expect(changedEvents(rooms, { place: 4, floor: 2, state: 'open' }, choice)).toEqual([
      { type: 'RoomMoved', data: { floor: 2, place: 4 } },
      { type: 'RoomOpened', data: { state: 'open' } },
    ]);
  });

  it('are empty without a change', () => {
    expect(changedEvents(rooms, {}, choice)).toEqual([]);
  });

  it('fail for a column that no event has, or that several events have without a choice', () => {
    const { RoomChanged: _, ...events } = rooms.events;
    const silent = { ...rooms, events } as unknown as typeof rooms;
    expect(() => changedEvents(silent, { name: 'Blue' }, choice)).toThrow('no event of a change holds name');
    expect(() => changedEvents(rooms, { state: 'open' }, {} as typeof choice)).toThrow(
      'more than one event of a change holds state',
    );
  });
});

describe('the ends of a stream', () => {
  it('are found by their shape', () => {
    expect([eventTypeWith(rooms, 'created'), eventTypeWith(rooms, 'deleted')]).toEqual([
      'RoomAdded',
      'RoomRemoved',
    ]);
  });
});
