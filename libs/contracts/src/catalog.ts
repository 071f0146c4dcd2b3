import { catalogOf, isPublic, personalOf, type Catalog, type Resource } from '@practice/resource';
import { definitions } from './definitions.js';
import { ledgerEntries, webhookDeliveries } from './tables.js';

/** The public resources, by name. Definitions are read at load, so an invalid definition fails at startup. */
export const catalog: Catalog = catalogOf(definitions.filter(isPublic), [ledgerEntries, webhookDeliveries]);

/** The resources that a service owns, public or not. */
export const resourcesOf = (service: string): Resource[] =>
  definitions.filter((resource: Resource) => resource.service === service);

const byAggregate: ReadonlyMap<string, Resource> = new Map(
  definitions.map((resource) => [`${resource.service} ${resource.aggregate}`, resource]),
);

/** The resource, public or not, with the records of an aggregate; undefined for an unknown aggregate. */
export const resourceOf = ({
  service,
  aggregate,
}: Pick<Resource, 'service' | 'aggregate'>): Resource | undefined =>
  byAggregate.get(`${service} ${aggregate}`);

/** Every service that owns a resource. */
export const serviceNames: readonly string[] = [...new Set(definitions.map(({ service }) => service))];

/** The services whose records have personal values of clients. */
export const personalServices: readonly string[] = serviceNames.filter((service) =>
  resourcesOf(service).some((resource) => personalOf(resource) !== null),
);
