import { aggregatesOf } from '@practice/contracts';
import type { RecordedEvent } from '@practice/core';
import type { LogPart } from '@practice/log';
import { type Resource, publishable } from '@practice/resource';
import { restoredEvents } from './restored-event.js';

/** The events of a part of a log, to be published again. Events about restorations come before the events of their epochs, as before. */
export function eventsAgain(
  service: string,
  resources: readonly Resource[],
  { events, restorations }: Pick<LogPart, 'events' | 'restorations'>,
): RecordedEvent[] {
  const told = restorations.map((restoration) => ({
    at: restoration.after + 0.5,
    events: restoredEvents(service, restoration, aggregatesOf(service)),
  }));
  const recorded = events.map((event) => ({ at: event.position, events: [publishable(resources, event)] }));
  // A stable sort: restorations of one position stay in the order of their epochs.
  return [...told, ...recorded].sort((one, other) => one.at - other.at).flatMap((one) => one.events);
}
