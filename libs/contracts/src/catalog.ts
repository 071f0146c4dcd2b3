import { catalogOf } from '@practice/resource';
import type { Catalog, Resource } from '@practice/resource';
import { definitions } from './definitions.js';

/** Every resource of the product: read once at load, so a definition that doesn't fit fails at start. */
export const catalog: Catalog = catalogOf(definitions);

/** The resources that a service owns. */
export const resourcesOf = (service: string): Resource[] =>
  [...catalog.resources.values()].filter((resource) => resource.service === service);
