import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { aggregatesOf, LOG_RESTORED, serviceNames } from '@practice/contracts';
import { readCloudEvent, subjectOf, toCloudEvent } from '@practice/bus';
import { restoredEvents } from './events-again.js';

const restoration = { therapistId: randomUUID(), epoch: 1_893_456_000, after: 41 };

describe.each(serviceNames)('LogRestored of %s', (service) => {
  const events = restoredEvents(service, restoration, aggregatesOf(service));

  it('is on the subjects of each aggregate, and is read back as it was published', () => {
    expect(events.length).toBe(aggregatesOf(service).length);
    for (const event of events) {
      const envelope = toCloudEvent(service, event);
      const bytes = new TextEncoder().encode(JSON.stringify(envelope));
      const read = readCloudEvent(subjectOf({ ...event, service }), bytes);
      expect(read).toMatchObject({
        type: LOG_RESTORED,
        data: { epoch: 1_893_456_000, after: 41 },
        position: 42,
      });
    }
  });

  it('has unique ids, which are the same whenever it is published', () => {
    const ids = (of: typeof events): string[] => of.map(({ metadata }) => metadata.eventId);
    expect(new Set(ids(events)).size).toBe(events.length);
    expect(ids(restoredEvents(service, restoration, aggregatesOf(service)))).toEqual(ids(events));
    const later = restoredEvents(
      service,
      { ...restoration, epoch: restoration.epoch + 1 },
      aggregatesOf(service),
    );
    expect(ids(later).filter((id) => ids(events).includes(id))).toEqual([]);
  });
});
