// Functions for the specs of this package: one for each kind of result.

import { allSteps, practiceRoles } from '@practice/core';
import { column, defineFunction, returns, type FunctionDefinition } from '@practice/resource';
import { parseCall, type ParsedCall } from '../parse/call.js';
import { PreparedCall } from '../compile/prepared-read.js';
import { requestOf, type Sample } from './sample.js';

const house = { service: 'house', roles: practiceRoles } as const;

export const freeRooms = defineFunction({
  ...house,
  name: 'free_rooms',
  description: 'Rooms without a visit.',
  arguments: { day: column.date({ required: true }), seats: column.integer({ default: 1, min: 1 }) },
  returns: returns.rows({
    id: column.uuid({ required: true }),
    name: column.text({ required: true }),
    seats: column.integer({}),
    opens: column.timeOfDay({}),
    price: column.money({}),
    since: column.timestamp({}),
    extras: column.json({}),
    shared: column.boolean({}),
  }),
  effect: 'reads',
});

export const renameRoom = defineFunction({
  ...house,
  name: 'rename_room',
  description: 'Renames a room.',
  arguments: { name: column.text({ required: true }) },
  returns: returns.object({ name: column.text({ required: true }) }),
  effect: 'writes',
});

export const clear = defineFunction({
  ...house,
  name: 'clear',
  description: 'Removes every visit.',
  arguments: {},
  returns: returns.nothing,
  effect: 'writes',
});

export const sampleFunctions: ReadonlyMap<string, FunctionDefinition> = new Map(
  [freeRooms, renameRoom, clear].map((definition: FunctionDefinition) => [definition.name, definition]),
);

export const callOf = (name: string, query: string, sample: Sample = {}): ParsedCall =>
  allSteps(parseCall(requestOf(query, { ...sample, resource: name }), sampleFunctions));

export function preparedCall(name: string, query: string, sample: Sample = {}): PreparedCall {
  const { definition, request } = callOf(name, query, sample);
  return new PreparedCall(definition, request);
}
