import type { PublishedEvent } from '@practice/bus';
import type { Policy } from '@practice/resource';
import type { Mirrored } from '@practice/storage';

/** A policy with the name under which its service exports it. */
export type AnyPolicy = Policy & { readonly name: string };

/** The columns of other services' records that a service mirrors, and its reactions to changes of them. */
export interface ProjectionParts {
  readonly mirrored: Mirrored;
  readonly policies: readonly AnyPolicy[];
}

export const PROJECTION_PARTS = Symbol('projection parts');

/** Whether a policy began before an event was recorded. The policy does not react to older events. */
export const isSince = ({ since }: AnyPolicy, { recordedAt }: Pick<PublishedEvent, 'recordedAt'>): boolean =>
  since === 'beginning' || Date.parse(recordedAt) >= Date.parse(since);
