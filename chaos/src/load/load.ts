// The callers of all practices, and the followers of what they do.
import { join } from 'node:path';
import { createRandom } from '@practice/dev';
import type { Followed } from '../checks/followers.js';
import type { Prober } from '../faults/recovery.js';
import { FEED_SERVICES, readFeeds } from '../followers/feed.js';
import { startSubscriber } from '../followers/subscriber.js';
import { CALLERS, SUBSCRIBER, type System } from '../system.js';
import { createJournal, type Journal } from './journal.js';
import { mixedLoad } from './operations.js';
import type { Caller } from './persist.js';
import { signUp, type Api, type Practice } from './practice.js';
import { work, type Memory } from './worker.js';

export interface Load {
  readonly api: Api;
  readonly journal: Journal;
  /** All practices, also the one of the prober. */
  readonly practices: readonly Practice[];
  readonly prober: Prober;
  readonly followed: readonly Followed[];
  /** Waits until each caller has the answer to its last request. */
  readonly finish: () => Promise<void>;
  /** Ends the followers too. */
  readonly stop: () => Promise<void>;
}

export interface LoadOptions {
  readonly seed: number;
  readonly practices: number;
  readonly rest: number;
  readonly folder: string;
}

/** The system, with ways that can be cut if it has them. */
export type Loaded = Pick<System, 'stack' | 'wires'>;

const WORKERS = 2;

/**
 * Signs up the practices and starts their callers.
 * @throws when a practice cannot be signed up
 */
export async function startLoad({ stack, wires }: Loaded, options: LoadOptions): Promise<Load> {
  const api: Api = { origin: new URL(wires.get(CALLERS)?.url ?? stack.baseUrl).origin, apikey: stack.apikey };
  const journal = createJournal();
  const practices: Practice[] = [];
  for (let count = 0; count <= options.practices; count += 1) practices.push(await signUp(api));
  const subscriber = await startSubscriber(
    wires.get(SUBSCRIBER)?.url ?? stack.natsUrl('admin'),
    join(options.folder, 'subscriber.log'),
  );
  const feeds = readFeeds(api, practices, journal);
  const random = createRandom(options.seed);
  const callerOf = (practice: Practice): Caller => ({ api, practice, journal, random });
  const [own, ...loaded] = practices as [Practice, ...Practice[]];
  const ending = new AbortController();
  const working = loaded.flatMap((practice) => {
    const times = { next: 0 };
    return Array.from({ length: WORKERS }, () =>
      work(callerOf(practice), memory(times), {
        ...{ operations: mixedLoad, ended: ending.signal, rest: options.rest },
      }),
    );
  });
  const finish = async (): Promise<void> => {
    ending.abort();
    await Promise.all(working);
  };
  return {
    ...{ api, journal, practices, finish },
    prober: { caller: callerOf(own), memory: memory({ next: 0 }) },
    followed: [
      { follower: 'subscriber', received: subscriber.received },
      { follower: 'reader of the feed', received: feeds.received, services: FEED_SERVICES },
    ],
    stop: async () => {
      await finish();
      await Promise.all([subscriber.stop(), feeds.stop()]);
    },
  };
}

const memory = (times: Memory['times']): Memory => ({ clients: [], expenses: [], booked: [], times });
