import { describe, expect, it } from '@jest/globals';
import { column } from './column.js';
import { upcast, versionOf, type Upcast } from './event-versions.js';
import { evolve } from './fold.js';
import { resource, type Resource } from './resource.js';
import type { Row } from './row.js';

interface Labelled {
  readonly label: string;
}

interface Named {
  readonly name: string;
}

/** Version 1 had `label`, version 2 renamed it to `name`, and version 3 splits off the wing: `N-12` is room 12 in the north wing. */
const rooms = resource({
  name: 'rooms',
  service: 'houses',
  aggregate: 'room',
  description: '',
  columns: {
    name: column.text({ required: true }),
    wing: column.text({}),
    seats: column.integer({ default: 2 }),
  },
  events: {
    RoomAdded: 'created',
    RoomRenamed: {
      shape: ['name', 'wing'],
      version: 3,
      upcast: {
        1: (({ label = '' }) => ({ name: label })) satisfies Upcast<Labelled, Named>,
        2: (({ name = '' }) => {
          const [, wing = null, number] = /^([NS])-(\d+)$/.exec(name) ?? [];
          return { name: number ?? name, wing };
        }) satisfies Upcast<Named, Named & { wing: string | null }>,
      },
    },
  },
});
const plain = rooms as unknown as Resource;

const at = (second: number): string => `2026-05-01T08:00:0${second}+00:00`;
const added = { id: 'r', therapist_id: 'p', name: 'Blue', created_at: at(0), updated_at: at(0) };
const renamed = (schemaVersion: number, data: object) => ({ type: 'RoomRenamed', schemaVersion, data });

describe('the versions of an event type', () => {
  it('do not change where a definition has the shape of an event type', () => {
    const shape: readonly ['name', 'wing'] = rooms.events.RoomRenamed;
    expect(shape).toEqual(['name', 'wing']);
    expect([versionOf(rooms, 'RoomAdded'), versionOf(rooms, 'RoomRenamed')]).toEqual([1, 3]);
  });

  it.each([
    ['from version 1', renamed(1, { label: 'N-12' })],
    ['from version 2', renamed(2, { name: 'N-12' })],
    ['as the current version', renamed(3, { name: '12', wing: 'N' })],
  ])('are read %s', (_, event) => {
    expect(upcast(rooms, event)).toEqual(renamed(3, { name: '12', wing: 'N' }));
  });

  it('do not change the stored event', () => {
    const stored = Object.freeze(renamed(1, Object.freeze({ label: 'Red' })));
    upcast(rooms, stored);
    expect(stored).toEqual(renamed(1, { label: 'Red' }));
  });

  it('reject a version that this program does not know', () => {
    expect(() => upcast(rooms, renamed(4, {}))).toThrow(
      'room: RoomRenamed has version 4; this program knows versions up to 3',
    );
  });

  it('fold into one state, even if a stream has a mixture of versions', () => {
    const stream = [
      { type: 'RoomAdded', schemaVersion: 1, data: added },
      renamed(1, { label: 'S-1' }),
      renamed(2, { name: 'N-2' }),
      renamed(3, { name: '3', wing: 'S' }),
    ];
    const states: (Row | null)[] = [];
    for (const [index, event] of stream.entries())
      states.push(evolve(plain, states.at(-1) ?? null, { ...event, recordedAt: at(index) }));
    const names = states.map((state) => [state?.['name'], state?.['wing'], state?.['seats']]);
    expect(names).toEqual([
      ['Blue', null, 2],
      ['1', 'S', 2],
      ['2', 'N', 2],
      ['3', 'S', 2],
    ]);
  });

  it.each([
    [2, {}, 'it needs upcasters from 1'],
    [3, { 2: () => ({}) }, 'it needs upcasters from 1, 2'],
    [1, { 1: () => ({}) }, 'it needs upcasters from none'],
  ])('need an upcaster for each version before %s, and no other', (version, upcasters, message) => {
    const events = { LampLit: { shape: 'created', version, upcast: upcasters } } as const;
    const define = () =>
      resource({ name: 'lamps', service: 'houses', aggregate: 'lamp', description: '', columns: {}, events });
    expect(define).toThrow(`LampLit is version ${version}: ${message}`);
  });
});
