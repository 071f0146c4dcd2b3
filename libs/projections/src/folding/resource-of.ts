import { catalog, LOG_RESTORED } from '@practice/contracts';
import type { PublishedEvent } from '@practice/bus';
import type { Resource } from '@practice/resource';

const byAggregate: ReadonlyMap<string, Resource> = new Map(
  [...catalog.resources.values()].map((resource) => [`${resource.service}.${resource.aggregate}`, resource]),
);

/** The resource with the record of an event. `LogRestored` is published on a resource's subjects, but is about no record. */
export const resourceOf = ({ service, aggregate, type }: PublishedEvent): Resource | undefined =>
  type === LOG_RESTORED ? undefined : byAggregate.get(`${service}.${aggregate}`);
