import { describe, expect, it } from '@jest/globals';
import { column } from './column.js';
import { evolve } from './fold.js';
import { resource, type Resource } from './resource.js';
import type { Row } from './row.js';

const rooms = resource({
  name: 'rooms',
  service: 'houses',
  aggregate: 'room',
  description: '',
  columns: { name: column.text({ required: true }), floor: column.integer({}) },
  events: { RoomAdded: 'created', RoomRenamed: ['name'], RoomMoved: ['floor'], RoomRemoved: 'deleted' },
}) as unknown as Resource;

const at = (second: number): string => `2026-05-01T08:00:0${second}+00:00`;
const added: Row = {
  id: 'r',
  therapist_id: 'p',
  name: 'Blue',
  floor: 1,
  created_at: at(0),
  updated_at: at(0),
};

const folded = (...events: [type: string, data: object][]): Row | null =>
  events.reduce<Row | null>(
    (state, [type, data], index) => evolve(rooms, state, { type, data, recordedAt: at(index) }),
    null,
  );

describe('the fold of a stream', () => {
  it('starts with the whole record', () => {
    expect(folded(['RoomAdded', added])).toEqual(added);
  });

  it('gives a column that was added later its default, or null', () => {
    const { floor, ...older } = added;
    const wider = { ...rooms, columns: { ...rooms.columns, seats: column.integer({ default: 2 }) } };
    const event = { type: 'RoomAdded', data: older, recordedAt: at(0) };
    expect(floor).toBe(1);
    expect(evolve(wider as unknown as Resource, null, event)).toEqual({ ...added, floor: null, seats: 2 });
  });

  it('applies the data of each event to the previous state and sets updated_at', () => {
    expect(
      folded(['RoomAdded', added], ['RoomRenamed', { name: 'Red' }], ['RoomMoved', { floor: null }]),
    ).toEqual({
      ...added,
      name: 'Red',
      floor: null,
      updated_at: at(2),
    });
  });

  it('is null after a deletion, and starts again with the next creation', () => {
    const removed: [string, object] = ['RoomRemoved', {}];
    expect(folded(['RoomAdded', added], removed)).toBeNull();
    const again = { ...added, name: 'Green', floor: null };
    expect(folded(['RoomAdded', added], removed, ['RoomAdded', again])).toEqual({
      ...again,
      updated_at: at(2),
    });
  });

  it('does not change the previous state', () => {
    const before = Object.freeze({ ...added });
    evolve(rooms, before, { type: 'RoomRenamed', data: { name: 'Red' }, recordedAt: at(1) });
    expect(before).toEqual(added);
  });

  it('rejects an event that the resource does not define', () => {
    expect(() => folded(['RoomPainted', {}])).toThrow('rooms has no event RoomPainted');
  });
});
