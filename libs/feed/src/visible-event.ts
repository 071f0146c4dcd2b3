// Reduces an event to the columns that a reader may see, by the rules of the definitions. The feed, webhooks and realtime use this.

import { catalog, permits, resourceOf } from '@practice/contracts';
import type { PracticeRole } from '@practice/core';
import type { CloudEvent } from '@practice/bus';
import { accessOf, type Resource } from '@practice/resource';
import type { FeedEvent } from './feed-event.js';

export interface Reader {
  readonly role: PracticeRole;
  /** The scopes of a token. If absent, the token permits everything that the role permits. */
  readonly scopes?: readonly string[] | undefined;
}

/** The public resource of an event; undefined if its aggregate is not a public resource. */
export const resourceOfEvent = (event: Pick<FeedEvent, 'service' | 'aggregate'>): Resource | undefined =>
  catalog.resources.get(resourceOf(event)?.name ?? '');

/**
 * The envelope of an event with only the columns that a reader may see. Undefined if the reader may see nothing of it: its role may
 * not read the record, its token has no scope for it, the aggregate is not a resource, or all columns are hidden.
 */
export function visibleEvent(event: FeedEvent, reader: Reader): CloudEvent | undefined {
  const { message } = event;
  const resource = resourceOfEvent(event);
  if (resource === undefined || !mayRead(resource, reader)) return undefined;
  const { hidden } = accessOf(resource, reader.role);
  if (hidden.size === 0) return message;
  const columns = Object.entries(message.data);
  const shown = columns.filter(([name]) => !hidden.has(name));
  if (shown.length === 0 && columns.length > 0) return undefined;
  // Without the version of the record, which would reveal that hidden columns have changed.
  const { streamversion: _version, ...envelope } = message;
  return { ...envelope, data: Object.fromEntries(shown) } as CloudEvent;
}

/** The resources whose events a reader may see. */
export const readsOf = (reader: Reader): Resource[] =>
  [...catalog.resources.values()].filter((resource) => mayRead(resource, reader));

const mayRead = (resource: Resource, { role, scopes }: Reader): boolean =>
  accessOf(resource, role).may !== 'none' &&
  accessOf(resource, role).of === undefined &&
  (scopes === undefined || permits(scopes, resource.name, 'read'));
