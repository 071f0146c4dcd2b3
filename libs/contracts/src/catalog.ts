import { catalogOf } from '@practice/resource';
import type { Catalog, Resource } from '@practice/resource';
import { scheduling } from './scheduling/index.js';

/** Every resource of the product: read once at load, so a definition that doesn't fit fails at start. */
export const catalog: Catalog = catalogOf([...scheduling] as unknown as Resource[]);

/** The resources that a service owns. */
export const resourcesOf = (service: string): Resource[] =>
  [...catalog.resources.values()].filter((resource) => resource.service === service);
