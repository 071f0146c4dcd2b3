import { memoryCounters, type Counters, type CountersLogger } from './counters.js';

/**
 * Opens the counters of a process.
 * @param redisUrl `redis://[user:password@]host:port[/database]` or `rediss://…`; the counters are in memory when undefined
 */
export async function openCounters(
  service: string,
  redisUrl: string | undefined,
  logger: CountersLogger,
): Promise<Counters> {
  if (redisUrl === undefined) return memoryCounters();
  // Imported only here, because the Redis client is large and processes without a Redis do not need it.
  const { sharedCounters } = await import('./shared-counters.js');
  return sharedCounters(service, redisUrl, logger);
}
