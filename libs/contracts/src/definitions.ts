// Every resource that `aggregates.ts` exports.

import * as exported from './aggregates.js';

type Exported = (typeof exported)[keyof typeof exported];
type Definition = Extract<Exported, { readonly events: object }>;

const isDefinition = (value: Exported): value is Definition => typeof value === 'object' && 'events' in value;

/** Every resource of the product, public or not, sorted by service. */
export const definitions: readonly Definition[] = Object.values(exported)
  .filter(isDefinition)
  .sort(({ service: one }, { service: other }) => one.localeCompare(other));
