import { counter, histogram } from '@practice/metrics';
import type { Publish } from '@practice/log';
import { recordEvents } from '@practice/tracing';

const events = counter('practice_relay_events_total');
const delay = histogram('practice_relay_delay_seconds');

/** A `publish` that also measures and traces its events. */
export function observedPublish(publish: Publish): Publish {
  return async (sent) => {
    const start = Date.now();
    const acks = await publish(sent);
    const now = Date.now();
    const acknowledged = sent.filter((_, index) => acks[index] != null);
    for (const { recordedAt } of acknowledged) delay.observe((now - Date.parse(recordedAt)) / 1000);
    events.inc({ outcome: 'acknowledged' }, acknowledged.length);
    events.inc({ outcome: 'failed' }, sent.length - acknowledged.length);
    recordEvents('publish', acknowledged, { start, end: now });
    return acks;
  };
}
