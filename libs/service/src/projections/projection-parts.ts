import type { Policy } from '@practice/resource';
import type { Mirrored } from './mirror-table.js';

export type AnyPolicy = Policy;

/** What a service takes of others' records, and how it reacts to what happens to them. */
export interface ProjectionParts {
  readonly mirrored: Mirrored;
  readonly policies: readonly AnyPolicy[];
}
