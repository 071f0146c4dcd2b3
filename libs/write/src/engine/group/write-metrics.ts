import { beforeScrape, gauge, histogram } from '@practice/metrics';
import { isTracing, recordSpan } from '@practice/tracing';
import type { GroupKind } from './waiting-writes.js';

const size = histogram('practice_write_group_size');
const wait = histogram('practice_write_wait_seconds');
const waiting = gauge('practice_writes_waiting');

/** Counts a group that starts. @param writes with the `performance.now()` of their arrival */
export function observeGroup(group: GroupKind, writes: readonly { readonly arrivedAt: number }[]): void {
  if (writes.length === 0) return;
  const now = performance.now();
  size.observe({ group }, writes.length);
  for (const { arrivedAt } of writes) wait.observe({ group }, (now - arrivedAt) / 1000);
}

/** Counts the writes that wait, at each scrape. */
export function measureWaiting(writes: { readonly size: number }): void {
  beforeScrape([waiting], () => waiting.set(writes.size));
}

/** Sends the span of a group that has ended, once in the trace of each of its writes. @param start milliseconds since the epoch */
export function recordGroup(
  group: GroupKind,
  writes: readonly { readonly traceparent: string | undefined }[],
  start: number,
): void {
  if (!isTracing()) return;
  const end = Date.now();
  const shared = {
    'db.system.name': 'postgresql',
    'practice.group': group,
    'practice.writes': writes.length,
  };
  for (const { traceparent: parent } of writes)
    if (parent !== undefined)
      recordSpan('Postgres transaction', { kind: 'client', parent, attributes: shared }, { start, end });
}
