import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns, type Catalog, type Resource } from '@practice/resource';
import { catalog } from '../catalog.js';
import { concernedBy } from './undo-request.js';

const servicesOf = (resources: readonly Resource[]): string[] =>
  [...new Set(resources.map(({ service }) => service))].sort();

const resources = [...catalog.resources.values()];
const all = servicesOf(resources);
/** The services with records whose changes can be undone, in an order in which an undo takes back referring records first. */
const services = referrersFirst(
  servicesOf(resources.filter(({ isUndoable }) => isUndoable !== false)),
  catalog,
);

export const undo = defineFunction({
  name: 'undo',
  service: { services, concerned: (given) => concernedBy(given, services, all) },
  description:
    'Takes back one change (`change_id`), several of one service (`change_ids`), or everything that a user, token or app has done since a time (`actor_id`, `actor_name` or `oauth_client_id`, with `since`), by new events. An undo can be undone.',
  arguments: {
    change_id: column.text({
      maxLength: 100,
      description: 'The `Change-Id` of a write, also in `<resource>_history`: `scheduling:1042`.',
    }),
    change_ids: column.texts({
      description: 'Several, of one service: all of them or none. The newest is taken back first.',
    }),
    actor_id: column.uuid({ description: 'Everything that this user has done, also with tokens.' }),
    actor_name: column.text({
      maxLength: 320,
      description: 'Everything that the user or token of this name has done, as histories show the name.',
    }),
    oauth_client_id: column.text({
      maxLength: 2048,
      description: 'Everything that members have done through this app (OAuth client).',
    }),
    since: column.timestamp({ description: 'With an actor: changes from this time on.' }),
    until: column.timestamp({
      description: 'With an actor: changes before this time; if omitted: until now.',
    }),
    force: column.boolean({
      default: false,
      description: 'True: values that others have changed since go back too.',
    }),
  },
  example: { change_id: 'scheduling:1042' },
  returns: returns.rows({
    service: column.text({ required: true }),
    resource: column.text({ description: 'Null if the part of the service failed.' }),
    id: column.uuid({ description: 'The record.' }),
    event: column.text({ description: 'The event that sets it back.' }),
    before: column.json({
      description:
        'The values before the undo; null for a record that is back, or of a resource that the caller does not read.',
    }),
    after: column.json({
      description:
        'The values after it; null for a record that is deleted, or of a resource that the caller does not read.',
    }),
    undoes: column.text({ description: 'The change that is taken back.' }),
    problem: column.json({
      description: 'Why the part of a service failed: `code`, `message`, `details`, `hint`.',
    }),
  }),
  effect: 'writes',
  roles: practiceRoles.filter((role) => role !== 'read_only'),
});

/** Services in an order in which each service comes before the services that its records refer to, unless references form a cycle. */
function referrersFirst(services: readonly string[], { resources, relations }: Catalog): string[] {
  const serviceOf = (resource: string): string => resources.get(resource)?.service ?? '';
  const pairs = relations.map(({ from, to }) => [serviceOf(from), serviceOf(to)] as const);
  const left = [...services];
  const ordered: string[] = [];
  while (left.length > 0) {
    const free = left.findIndex((service) =>
      pairs.every(([from, to]) => to !== service || from === service || !left.includes(from)),
    );
    ordered.push(...left.splice(Math.max(free, 0), 1));
  }
  return ordered;
}
