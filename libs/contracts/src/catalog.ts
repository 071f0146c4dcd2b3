import { catalogOf, isPublic } from '@practice/resource';
import type { Catalog, Resource } from '@practice/resource';
import { definitions, publishers } from './definitions.js';

/** The public resources, by name. They are read at load, so a definition that does not fit fails at startup. */
export const catalog: Catalog = catalogOf(definitions.filter(isPublic));

/** The resources that a service owns, public or not. */
export const resourcesOf = (service: string): Resource[] =>
  definitions.filter((resource: Resource) => resource.service === service);

/** Every service that owns a resource or another aggregate. */
export const serviceNames: readonly string[] = [...new Set(publishers.map(({ service }) => service))];
