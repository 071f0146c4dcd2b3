import { changedEvents, eventTypeWith, type Decider, type Resource } from '@practice/resource';

/**
 * The decider of a resource without rules of its own: every command becomes the event that says the same.
 * @throws {Error} when the resource has no event for one of its commands
 */
export function recordDecider(definition: Resource): Decider {
  const [created, deleted] = [eventTypeWith(definition, 'created'), eventTypeWith(definition, 'deleted')];
  const needsDeletion = definition.appendOnly !== true && definition.readOnly !== true;
  if (created === undefined || (deleted === undefined && needsDeletion))
    throw new Error(`${definition.name} has no event for every kind of command`);
  return {
    definition,
    lookups: () => [],
    decide: (command) => {
      switch (command.kind) {
        case 'create':
          return [{ type: created, data: command.record }];
        case 'change':
          return changedEvents(definition, command.changes);
        case 'delete':
          return deleted === undefined ? [] : [{ type: deleted, data: {} }];
        case 'act':
          throw new Error(`${definition.name} has no decider, so it cannot ${command.act}`);
      }
    },
  };
}
