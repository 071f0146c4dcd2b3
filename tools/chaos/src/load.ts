// The callers of all practices, and the followers of their events.
import { createRandom, signUp, type Stack } from '@practice/start';
import { followAll } from './followers/follow.js';
import { CALLERS, type System } from './system.js';
import { createJournal } from './load/journal.js';
import { mixedLoad } from './load/operations.js';
import type { Caller } from './load/persist.js';
import type { ApiAccess, Practice } from './load/practice.js';
import { work, type Memory } from './load/worker.js';

export interface LoadOptions {
  readonly seed: number;
  readonly practices: number;
  /** The longest pause of a caller between two requests, in milliseconds. */
  readonly rest: number;
  readonly folder: string;
  /** No caller and no reader of a stream disconnects early. */
  readonly isPatient?: boolean;
}

/** The system, with connections that can be cut if it has them. */
export interface Loaded extends Pick<System, 'wires'> {
  /** Without `natsUrl`, only the API is followed. */
  readonly stack: Pick<Stack, 'baseUrl' | 'apikey'> & Partial<Pick<Stack, 'natsUrl'>>;
}

const WORKERS = 2;

/**
 * Signs up the practices and starts their callers.
 * @throws when a practice cannot be signed up
 */
export async function startLoad({ stack, wires }: Loaded, options: LoadOptions) {
  const api: ApiAccess = {
    baseUrl: new URL(wires.get(CALLERS)?.url ?? stack.baseUrl).origin,
    apikey: stack.apikey,
  };
  const journal = createJournal();
  const practices: Practice[] = [];
  for (let count = 0; count <= options.practices; count += 1) practices.push(await signUp(api));
  const { seed, isPatient = false } = options;
  const shared = { api, journal, random: createRandom(seed), isPatient };
  const following = await followAll({ stack, wires }, { ...shared, practices, folder: options.folder });
  const callerOf = (practice: Practice): Caller => ({ ...shared, practice });
  const [own, ...loaded] = practices as [Practice, ...Practice[]];
  const ending = new AbortController();
  const works = { operations: mixedLoad, ended: ending.signal, rest: options.rest };
  const working = loaded.flatMap((practice) => {
    const times = { next: 0 };
    return Array.from({ length: WORKERS }, () => work(callerOf(practice), memory(times), works));
  });
  /** Waits until each caller has the answer to its last request. */
  const finish = async (): Promise<void> => {
    ending.abort();
    await Promise.all(working);
    following.calm();
  };
  return {
    api,
    journal,
    /** All practices, including the one of the prober. */
    practices,
    finish,
    prober: { caller: callerOf(own), memory: memory({ next: 0 }) },
    followed: following.followed,
    disturbances: following.disturbances,
    /** Ends the followers too. */
    stop: async (): Promise<void> => {
      await finish();
      await following.stop();
    },
  };
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

const memory = (times: Memory['times']): Memory => ({
  ...{ clients: [], expenses: [], booked: [], notes: [], invoices: [] },
  times,
});
