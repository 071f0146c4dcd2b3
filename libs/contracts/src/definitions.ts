import { clientResources } from './clients/index.js';
import { clinicalNotes } from './clinical-notes/index.js';
import { finance } from './finance/index.js';
import { gateway } from './gateway/index.js';
import { scheduling } from './scheduling/index.js';

/** Every resource of the product. */
export const definitions = [...scheduling, ...clientResources, ...clinicalNotes, ...finance] as const;

/** Every aggregate whose events are published: the resources, and what is none. */
export const publishers = [...definitions, ...gateway] as const;
