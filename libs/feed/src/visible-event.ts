// Reduces an event to what a reader may see, by the rules of the definitions. The feed, webhooks and realtime all use it.

import { catalog, permits } from '@practice/contracts';
import type { PracticeRole } from '@practice/core';
import type { CloudEvent } from '@practice/bus';
import { accessOf, type Resource } from '@practice/resource';
import type { FeedEvent } from './feed-event.js';

export interface Reader {
  readonly role: PracticeRole;
  /** The scopes of a personal access token; without them, the token may do what the role may. */
  readonly scopes?: readonly string[] | undefined;
}

const resourceOf = new Map<string, Resource>(
  [...catalog.resources.values()].map((resource) => [`${resource.service} ${resource.aggregate}`, resource]),
);

/**
 * The envelope with what a reader may see of an event; undefined if that is nothing: an event of a record that its role does not
 * read or its token has no scope for, of an aggregate that is no resource, or of columns that are all hidden.
 */
export function visibleEvent(
  { service, aggregate, message }: FeedEvent,
  reader: Reader,
): CloudEvent | undefined {
  const resource = resourceOf.get(`${service} ${aggregate}`);
  if (resource === undefined || !mayRead(resource, reader)) return undefined;
  const { hidden } = accessOf(resource, reader.role);
  if (hidden.size === 0) return message;
  const columns = Object.entries(message.data);
  const shown = columns.filter(([name]) => !hidden.has(name));
  if (shown.length === 0 && columns.length > 0) return undefined;
  // The version of the record would show that hidden columns have changed.
  const { streamversion: _version, ...envelope } = message;
  return { ...envelope, data: Object.fromEntries(shown) } as CloudEvent;
}

/** The resources whose events a reader sees. */
export const readsOf = (reader: Reader): Resource[] =>
  [...catalog.resources.values()].filter((resource) => mayRead(resource, reader));

const mayRead = (resource: Resource, { role, scopes }: Reader): boolean =>
  accessOf(resource, role).may !== 'none' &&
  accessOf(resource, role).of === undefined &&
  (scopes === undefined || permits(scopes, resource.name, 'read'));
