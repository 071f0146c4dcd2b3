import { catalogOf } from '@practice/resource';
import type { Catalog, Resource } from '@practice/resource';
import { clientResources } from './clients/index.js';
import { clinicalNotes } from './clinical-notes/index.js';
import { finance } from './finance/index.js';
import { scheduling } from './scheduling/index.js';

const definitions = [...scheduling, ...clientResources, ...clinicalNotes, ...finance];

/** Every resource of the product: read once at load, so a definition that doesn't fit fails at start. */
export const catalog: Catalog = catalogOf(definitions as unknown as Resource[]);

/** The resources that a service owns. */
export const resourcesOf = (service: string): Resource[] =>
  [...catalog.resources.values()].filter((resource) => resource.service === service);
