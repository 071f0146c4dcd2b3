// Metrics whose values are only in the database: the outbox, and the progress of a rebuild in another process.

import { beforeScrape, gauge } from '@practice/metrics';
import { type CrossTenantConnection, outboxState } from '@practice/storage';
import { rebuildsNamed, progressIn } from '@practice/recovery';

const depth = gauge('practice_outbox_events');
const oldest = gauge('practice_outbox_oldest_seconds');
const practices = gauge('practice_rebuild_practices');

/** Sets the metrics of the outbox and of a rebuild's progress at each scrape. */
export function measureLog(service: string, database: CrossTenantConnection): void {
  beforeScrape([depth, oldest], async () => {
    const { events, oldestSeconds } = await outboxState(service, database);
    depth.set(events);
    oldest.set(oldestSeconds);
  });
  beforeScrape([practices], async () => {
    const [[name = ''] = []] = await database.run(rebuildsNamed(service));
    const { folded, all } = progressIn(name ?? '');
    practices.set({ state: 'folded' }, folded);
    practices.set({ state: 'all' }, all);
  });
}
