import type { RecordedEvent } from '@practice/core';
import { publishedData } from './aggregate.js';
import { upcast } from './event-versions.js';
import type { Resource } from './resource.js';

/** An event in the form in which it may leave its service: in the current version, without confidential and internal columns. */
export function publishable(resources: readonly Resource[], event: RecordedEvent): RecordedEvent {
  const resource = resources.find(({ aggregate }) => aggregate === event.aggregate);
  if (resource === undefined) return event;
  const current = upcast(resource, event);
  return { ...current, data: publishedData(resource, current.data) };
}
