// Counters in Redis or Valkey, so that several processes together allow only as many requests as one process. While the store is
// unavailable or slow, each process counts in its own memory and logs how many requests it counted there.

import { createClient } from '@redis/client';
import { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { Counter, Counters, CountersLogger } from './counters.js';

/** The maximum time for an answer of the store. A longer delay of callers would cost more than the shared count is worth. */
const ANSWER_WITHIN_MS = 250;
const RECONNECT_MS = 500;
/** The interval of pings. A connection on which nothing arrives for `SILENT_MS` is closed. */
const PING_MS = 2000;
const SILENT_MS = 5000;
const KEY_PREFIX = 'practice';

/** Counters in a store. They connect in the background, and reconnect whenever the connection is lost. */
export function sharedCounters(service: string, url: string, logger: CountersLogger): Counters {
  const losses = countedLosses(logger);
  const client = createClient({
    url,
    name: service,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      reconnectStrategy: () => RECONNECT_MS,
      connectTimeout: SILENT_MS,
      socketTimeout: SILENT_MS,
    },
  });
  client.on('error', losses.failed);
  client.on('ready', losses.isBack);
  client.connect().catch(losses.failed);
  return {
    of: (counter) => insured(client, counter, losses.countedLocally),
    close: () => client.destroy(),
  };
}

function insured(
  storeClient: object,
  { name, points, seconds }: Counter,
  used: () => void,
): RLWrapperTimeouts {
  const options = { keyPrefix: `${KEY_PREFIX}:${name}`, points, duration: seconds };
  const redis = { storeClient, useRedisPackage: true, rejectIfRedisNotReady: true };
  return new RLWrapperTimeouts({
    limiter: new RateLimiterRedis({ ...redis, ...options }),
    timeoutMs: ANSWER_WITHIN_MS,
    insuranceLimiter: new Insurance(options, used),
  });
}

/** Counts in memory, and calls `used` for each request that it counts. */
class Insurance extends RateLimiterMemory {
  constructor(
    options: ConstructorParameters<typeof RateLimiterMemory>[0],
    private readonly used: () => void,
  ) {
    super(options);
  }

  override consume(...given: Parameters<RateLimiterMemory['consume']>) {
    this.used();
    return super.consume(...given);
  }

  override penalty(...given: Parameters<RateLimiterMemory['penalty']>) {
    this.used();
    return super.penalty(...given);
  }
}

const REPORT_EVERY_MS = 10_000;

/** Logs the loss of the store, at once and every ten seconds, and its return, each with the number of requests counted locally. */
function countedLosses(logger: CountersLogger) {
  let locally = 0;
  let reportedAt = -Infinity;
  const report = (err?: unknown): void => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    logger.warn({ err, countedLocally: locally }, 'limits are not shared: the counter store is unavailable');
  };
  return {
    failed: report,
    countedLocally: () => {
      locally += 1;
      report();
    },
    isBack: () => {
      logger.info({ countedLocally: locally }, 'limits are shared');
      locally = 0;
      reportedAt = -Infinity;
    },
  };
}
