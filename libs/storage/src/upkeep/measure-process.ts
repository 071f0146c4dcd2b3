import { beforeScrape, gauge } from '@practice/metrics';
import type { Pool } from 'pg';

const inFlight = gauge('practice_service_requests_in_flight');
const connections = gauge('practice_postgres_connections');
const most = gauge('practice_postgres_connections_most');
const waiters = gauge('practice_postgres_connection_waiters');

/** Counts the requests in progress at each scrape. */
export function measureRequests(server: { readonly busy: number }): void {
  beforeScrape([inFlight], () => inFlight.set(server.busy));
}

/** Counts the connections of each pool at each scrape. @param pools by the server that they lead to */
export function measurePools(pools: ReadonlyMap<'primary' | 'replica', Pool>): void {
  beforeScrape([connections, most, waiters], () => {
    for (const [server, { totalCount, idleCount, waitingCount, options }] of pools) {
      connections.set({ server, state: 'busy' }, totalCount - idleCount);
      connections.set({ server, state: 'idle' }, idleCount);
      most.set({ server }, options.max);
      waiters.set({ server }, waitingCount);
    }
  });
}

/** Asks the replica for its lag at each scrape. Without a replica, the metric is absent. */
export function measureReplica(database: { secondsBehind(): Promise<number | undefined> }): void {
  const lag = gauge('practice_postgres_replica_lag_seconds');
  beforeScrape([lag], async () => {
    const seconds = await database.secondsBehind();
    if (seconds !== undefined) lag.set(seconds);
  });
}
