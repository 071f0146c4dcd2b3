import { LOG_RESTORED, resourceOf } from '@practice/contracts';
import type { PublishedEvent } from '@practice/bus';
import type { Resource } from '@practice/resource';

/** The resource with the record of an event. `LogRestored` is published on a resource's subjects, but is about no record. */
export const resourceOfEvent = (event: PublishedEvent): Resource | undefined =>
  event.type === LOG_RESTORED ? undefined : resourceOf(event);
