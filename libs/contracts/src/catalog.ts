import { catalogOf } from '@practice/resource';
import type { Catalog, Resource } from '@practice/resource';
import { definitions, publishers } from './definitions.js';

/** Every resource of the product. It is read at load, so a definition that does not fit fails at startup. */
export const catalog: Catalog = catalogOf(definitions);

/** The resources that a service owns. */
export const resourcesOf = (service: string): Resource[] =>
  [...catalog.resources.values()].filter((resource) => resource.service === service);

/** Every service that owns a resource or another aggregate. */
export const serviceNames: readonly string[] = [...new Set(publishers.map(({ service }) => service))];
