import type { Command, Decider, Event } from '@practice/core';
import type { EventShape, Resource, Row } from '@practice/resource';

/** The decider of a resource without rules of its own: what was asked for is what happened. */
export function recordDecider(resource: Resource): Decider<Row> {
  const created = eventWith(resource, (shape) => shape === 'created');
  const deleted = eventWith(resource, (shape) => shape === 'deleted');
  const changed = eventWith(resource, (shape) => typeof shape !== 'string');
  return {
    resource: resource.name,
    lookups: () => [],
    decide: (command) => [decided(command, { created, changed, deleted })],
  };
}

function decided(command: Command<Row>, types: Record<'created' | 'changed' | 'deleted', string>): Event {
  switch (command.kind) {
    case 'create':
      return { type: types.created, data: command.record };
    case 'change':
      return { type: types.changed, data: command.changes };
    case 'delete':
      return { type: types.deleted, data: {} };
    case 'act':
      throw new Error(`a record without rules of its own cannot ${command.act}`);
  }
}

function eventWith({ name, events, appendOnly }: Resource, fits: (shape: EventShape) => boolean): string {
  const type = Object.keys(events).find((candidate) => fits(events[candidate] as EventShape));
  if (type === undefined && appendOnly !== true)
    throw new Error(`${name} has no event for every kind of command`);
  return type ?? '';
}
