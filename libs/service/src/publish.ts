import type { RecordedEvent } from '@practice/core';
import { isPublished } from '@practice/resource';
import type { Resource } from '@practice/resource';

/** An event as it may leave its service: without confidential columns, and without those that only its own rules need. */
export function publishable(resources: readonly Resource[], event: RecordedEvent): RecordedEvent {
  const resource = resources.find(({ aggregate }) => aggregate === event.aggregate);
  if (resource === undefined) return event;
  const data = Object.entries(event.data).filter(([name]) => {
    const column = resource.columns[name];
    return column !== undefined && isPublished(column);
  });
  return { ...event, data: Object.fromEntries(data) };
}
