// Types that a definition implies. The compiler checks this file, but nothing runs it.

import { column } from './column.js';
import type { EventOf } from './facts.js';
import { resource } from './resource.js';

const about = { name: 'rooms', service: 'houses', aggregate: 'room', description: '' } as const;
const columns = {
  name: column.text({ required: true }),
  floor: column.integer({}),
  colour: column.text({}),
  place: column.integer({ default: 0, internal: true }),
};

export const rooms = resource({
  ...about,
  columns,
  events: {
    RoomAdded: 'created',
    RoomRenamed: ['name'],
    RoomChanged: 'others',
    RoomMoved: { shape: ['floor'], version: 2, upcast: { 1: (data) => data } },
    RoomRemoved: 'deleted',
  },
});

export const events: readonly EventOf<typeof rooms>[] = [
  { type: 'RoomChanged', data: { colour: 'red', place: 1 } },
  { type: 'RoomMoved', data: { floor: 1 } },
  // @ts-expect-error -- `others` does not include a column that another event lists
  { type: 'RoomChanged', data: { name: 'Blue' } },
  // @ts-expect-error -- `others` does not include a column that an event with versions lists
  { type: 'RoomChanged', data: { floor: 1 } },
];

export const unknown = resource({
  ...about,
  columns,
  // @ts-expect-error -- an event has only columns of the definition
  events: { RoomAdded: 'created', RoomRenamed: ['title'] },
});

export const roles = resource({
  ...about,
  columns,
  events: { RoomAdded: 'created' },
  // @ts-expect-error -- a role sees only columns of the definition
  roles: { billing: { may: 'read', shows: ['title'] } },
});
