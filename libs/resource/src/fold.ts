// State is the fold of a stream, and the fold is the same for every aggregate: an event's data are columns of the record.

import type { RecordedEvent } from '@practice/core';
import type { Resource } from './resource.js';
import type { Row } from './row.js';

/**
 * The record after one more fact; null once it is deleted.
 * @throws {Error} when the event is none of the resource's: a log that does not fit its definitions must not be read over
 */
export function evolve(
  resource: Resource,
  state: Row | null,
  event: Pick<RecordedEvent, 'type' | 'data' | 'recordedAt'>,
): Row | null {
  const shape = resource.events[event.type];
  if (shape === undefined) throw new Error(`${resource.name} has no event ${event.type}`);
  if (shape === 'deleted') return null;
  return Object.assign({}, state, event.data, { updated_at: event.recordedAt });
}
