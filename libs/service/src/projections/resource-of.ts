import { catalog } from '@practice/contracts';
import type { PublishedEvent } from '@practice/events';
import type { Resource } from '@practice/resource';

const byAggregate: ReadonlyMap<string, Resource> = new Map(
  [...catalog.resources.values()].map((resource) => [`${resource.service}.${resource.aggregate}`, resource]),
);

/** The resource whose record an event is about. */
export const resourceOf = ({ service, aggregate }: PublishedEvent): Resource | undefined =>
  byAggregate.get(`${service}.${aggregate}`);
