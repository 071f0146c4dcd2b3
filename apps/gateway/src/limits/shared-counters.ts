// Counters in Redis or Valkey: so that several gateways allow what one does. A store that is away, or slow, is none:
// requests are then counted by this gateway alone, and how many were is told.

import { createClient } from '@redis/client';
import type { Logger } from '@practice/service';
import { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { Counter, Counters } from './counters.js';

/** A store that takes longer costs callers more than its count is worth. */
const ANSWER_WITHIN_MS = 250;
const RECONNECT_MS = 500;
/** A connection on which nothing comes back, not even the answer to a ping, is no connection. */
const PING_MS = 2000;
const SILENT_MS = 5000;
const KEY_PREFIX = 'practice';

/**
 * Connects in the background, and again whenever the connection is lost.
 * @param url `redis://[user:password@]host:port[/database]`, or `rediss://…` for TLS
 */
export function sharedCounters(url: string, logger: Logger): Counters {
  const losses = countedLosses(logger);
  const client = createClient({
    url,
    name: 'gateway',
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
  const keyPrefix = `${KEY_PREFIX}:${name}`;
  const insuranceLimiter = new Insurance({ keyPrefix, points, duration: seconds }, used);
  return new RLWrapperTimeouts({
    limiter: new RateLimiterRedis({
      storeClient,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      keyPrefix,
      points,
      duration: seconds,
    }),
    timeoutMs: ANSWER_WITHIN_MS,
    insuranceLimiter,
  });
}

/** Counts in memory, and tells that it had to. */
class Insurance extends RateLimiterMemory {
  constructor(
    options: ConstructorParameters<typeof RateLimiterMemory>[0],
    private readonly used: () => void,
  ) {
    super(options);
  }

  override consume(
    ...given: Parameters<RateLimiterMemory['consume']>
  ): ReturnType<RateLimiterMemory['consume']> {
    this.used();
    return super.consume(...given);
  }

  override penalty(
    ...given: Parameters<RateLimiterMemory['penalty']>
  ): ReturnType<RateLimiterMemory['penalty']> {
    this.used();
    return super.penalty(...given);
  }
}

const TELL_EVERY_MS = 10_000;

/** A line when the store is lost, one every ten seconds while it is, and one when it is back: with how many were counted here. */
function countedLosses(logger: Logger) {
  let locally = 0;
  let toldAt = -Infinity;
  const tell = (err?: unknown): void => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    logger.warn({ err, countedLocally: locally }, 'limits are not shared: their store is out of reach');
  };
  return {
    failed: (error: unknown) => tell(error),
    countedLocally: () => {
      locally += 1;
      tell();
    },
    isBack: () => {
      logger.info({ countedLocally: locally }, 'limits are shared');
      locally = 0;
      toldAt = -Infinity;
    },
  };
}
