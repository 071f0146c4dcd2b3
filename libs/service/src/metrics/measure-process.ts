import { beforeScrape, gauge } from '@practice/metrics';
import type { Pool } from 'pg';

const inFlight = gauge('practice_service_requests_in_flight');
const connections = gauge('practice_postgres_connections');
const most = gauge('practice_postgres_connections_most');
const waiters = gauge('practice_postgres_connection_waiters');

/** Counts the requests in progress at each scrape. */
export function measureRequests(server: { readonly busy: number }): void {
  beforeScrape(['practice_service_requests_in_flight'], () => inFlight.set(server.busy));
}

/** Counts the connections of a pool at each scrape. */
export function measurePool(pool: Pool): void {
  beforeScrape(
    [
      'practice_postgres_connections',
      'practice_postgres_connections_most',
      'practice_postgres_connection_waiters',
    ],
    () => {
      const { totalCount, idleCount, waitingCount, options } = pool;
      connections.set({ state: 'busy' }, totalCount - idleCount);
      connections.set({ state: 'idle' }, idleCount);
      most.set(options.max);
      waiters.set(waitingCount);
    },
  );
}
