import { createHash } from 'node:crypto';
import { aggregatesOf, LOG_RESTORED } from '@practice/contracts';
import type { RecordedEvent } from '@practice/core';
import type { LogPart, Restoration } from '@practice/log';
import { type Resource, publishable } from '@practice/resource';

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

/**
 * The events that inform subscribers of a restoration. There is one for each aggregate, so that a subscription to only some subjects
 * gets one too. They are not in the log. Each has the same id whenever it is published.
 */
export const restoredEvents = (
  service: string,
  { therapistId, epoch, after }: Restoration,
  aggregates: readonly string[],
): RecordedEvent[] =>
  aggregates.map((aggregate) => {
    const id = idOf([service, aggregate, therapistId, epoch].join(' '));
    return {
      type: LOG_RESTORED,
      data: { epoch, after },
      therapistId,
      position: after + 1,
      epoch,
      aggregate,
      streamId: therapistId,
      version: 1,
      schemaVersion: 1,
      metadata: { eventId: id, actor: { kind: 'system' as const }, requestId: id, correlationId: id },
      recordedAt: new Date(epoch * 1000).toISOString(),
    };
  });

/** A UUID of version 8 (bits of our own choice) that is derived from a name. */
function idOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex');
  const variant = '89ab'[Number.parseInt(digits[16] as string, 16) % 4];
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `$1-$2-8$3-${variant}$4-$5`);
}
