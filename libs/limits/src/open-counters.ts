import { memoryCounters, type Counters, type CountersLogger } from './counters.js';

/**
 * Opens the counters of a process.
 * @param redisUrl `redis://[user:password@]host:port[/database]` or `rediss://…`; in memory when undefined
 */
export async function openCounters(
  service: string,
  redisUrl: string | undefined,
  logger: CountersLogger,
): Promise<Counters> {
  if (redisUrl === undefined) return memoryCounters();
  // The Redis client is a large program: processes without a Redis never load it.
  const { sharedCounters } = await import('./shared-counters.js');
  return sharedCounters(service, redisUrl, logger);
}
