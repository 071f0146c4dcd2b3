import type { Policy } from '@practice/resource';
import type { Mirrored } from './mirror-table.js';

export type AnyPolicy = Policy;

/** What a service mirrors of other services' records, and its reactions to changes of them. */
export interface ProjectionParts {
  readonly mirrored: Mirrored;
  readonly policies: readonly AnyPolicy[];
}

export const PROJECTION_PARTS = Symbol('projection parts');
