import { catalogOf, isPublic, personalOf, type Catalog, type Resource } from '@practice/resource';
import * as exported from './aggregates.js';
import { ledgerEntries, webhookDeliveries } from './tables.js';

type Exported = (typeof exported)[keyof typeof exported];
type Definition = Extract<Exported, { readonly events: object }>;

const isDefinition = (value: Exported): value is Definition => typeof value === 'object' && 'events' in value;

/** Every resource of the product, public or not, sorted by service. */
export const definitions: readonly Definition[] = Object.values(exported)
  .filter(isDefinition)
  .sort(({ service: one }, { service: other }) => one.localeCompare(other));

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
