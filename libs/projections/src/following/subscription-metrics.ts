import { progressOf, type PublishedEvent, type Connection } from '@practice/bus';
import { beforeScrape, counter, gauge, histogram } from '@practice/metrics';
import { LagEstimate } from './lag-estimate.js';

const pending = gauge('practice_subscription_pending_events');
const lag = gauge('practice_subscription_lag_seconds');
const served = gauge('practice_subscription_served');
const events = counter('practice_subscription_events_total');
const delay = histogram('practice_subscription_delay_seconds');

/** Counts events that a subscription has handled. */
export function observeHandled(subscription: string, handled: readonly PublishedEvent[]): void {
  if (handled.length === 0) return;
  const now = Date.now();
  for (const { recordedAt } of handled)
    delay.observe({ subscription }, (now - Date.parse(recordedAt)) / 1000);
  events.inc({ subscription, outcome: 'handled' }, handled.length);
}

/** Counts an event that could not be handled. */
export function observeFailed(subscription: string): void {
  events.inc({ subscription, outcome: 'failed' });
}

/** Asks the server for the progress of these subscriptions at each scrape. */
export function measureSubscriptions(connection: Connection, subscriptions: readonly string[]): void {
  const estimates = new Map(subscriptions.map((name) => [name, new LagEstimate()]));
  beforeScrape([pending, lag, served], async () => {
    await Promise.all(
      [...estimates].map(async ([subscription, estimate]) => {
        const progress = await progressOf(connection, subscription);
        pending.set({ subscription }, progress.pending);
        lag.set({ subscription }, estimate.seconds(progress, performance.now()));
        served.set({ subscription }, progress.isServed ? 1 : 0);
      }),
    );
  });
}
