// Every definition that `aggregates.ts` exports.

import * as exported from './aggregates.js';

type Exported = (typeof exported)[keyof typeof exported];
type Publisher = Extract<Exported, { readonly events: object }>;
type Definition = Extract<Publisher, { readonly name: string }>;

const isPublisher = (value: Exported): value is Publisher => typeof value === 'object' && 'events' in value;
const isDefinition = (value: Publisher): value is Definition => 'name' in value;

const isBefore = ({ service: one }: Publisher, { service: other }: Publisher): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Every aggregate whose events are published, sorted by service: the resources, and aggregates without rows for callers. */
export const publishers: readonly Publisher[] = Object.values(exported).filter(isPublisher).sort(isBefore);

/** Every resource of the product. */
export const definitions: readonly Definition[] = publishers.filter(isDefinition);
