import type { Event } from '@practice/core';
import { eventTypeWith, isCarried } from '@practice/resource';
import type { Column, Command, Decider, Resource, Row } from '@practice/resource';

/**
 * A decider as an undo uses it. Its rules apply, and its events describe the change if it has events for the change. But a record
 * gets its logged values back, even where the decider would compute others, and a record that comes back has another event than a
 * new record.
 */
export const restoring = (decider: Decider): Decider => ({
  ...decider,
  decide(command, state, context) {
    const events = decider.decide(command, state, context);
    return restored(decider, command, events);
  },
});

function restored(
  { definition: resource, follows = [] }: Decider,
  command: Command,
  events: readonly Event[],
): readonly Event[] {
  switch (command.kind) {
    case 'create':
      return events.map(({ data }) => ({
        type: typeOf(resource, 'restored'),
        data: { ...data, ...logged(resource, command.record, follows) },
      }));
    case 'change':
      return events
        .map(({ type, data }) => ({ type, data: limited(resource, data, command.changes) }))
        .filter(({ data }) => Object.keys(data).length > 0);
    case 'delete':
      return events.length > 0 ? events : [{ type: typeOf(resource, 'deleted'), data: {} }];
    case 'act':
      return events;
  }
}

/** Sets back only the columns of the undo. The rules decide the other columns that callers may change. */
const limited = ({ columns }: Resource, data: object, changes: Row): object =>
  Object.fromEntries(
    Object.entries(data).filter(
      ([name]) => name in changes || isDecided(columns[name]) || columns[name]?.readOnly === true,
    ),
  );

const logged = ({ columns }: Resource, record: Row, follows: readonly string[]): Row =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => !isDecided(columns[name]) && !follows.includes(name)),
  );

/** Whether the rules decide about the value of a column, also in an undo. */
const isDecided = (column: Column | undefined): boolean => column !== undefined && isCarried(column);

function typeOf(resource: Resource, shape: 'restored' | 'deleted'): string {
  const type = eventTypeWith(resource, shape);
  if (type === undefined) throw new Error(`${resource.name} has no event of an undo`);
  return type;
}
