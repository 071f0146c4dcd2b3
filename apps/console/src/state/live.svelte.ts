// The resources that have changed, so that screens read them again. Changes come from realtime and from the writes of this page.

import { SvelteMap } from 'svelte/reactivity';
import { api, ApiError, onWrite, secondsUntilRetry } from '../api/client.js';

const changes = new SvelteMap<string, number>();
let waiting: Set<string> | undefined;

/** Notes a change. Several changes within a short time cause one reload. */
export function touch(resource: string): void {
  if (waiting) return void waiting.add(resource);
  const set = (waiting = new Set([resource]));
  setTimeout(() => {
    waiting = undefined;
    for (const each of set) changes.set(each, (changes.get(each) ?? 0) + 1);
  }, 40);
}

/** The number of changes of these resources. The running effect depends on it. */
export const follow = (resources: readonly string[]): number =>
  [...resources, '*'].reduce((sum, resource) => sum + (changes.get(resource) ?? 0), 0);

/** The resources that the session has read for all screens. */
const shared = new Set(['memberships', 'practices', 'practice_settings', 'service_menu']);

/** The pause after a read of the shared data: many changes in a short time cause few reads. */
const REST_MS = 5_000;

/** Calls `work` at once, or after the pause of the call before; again if it fails for now. @returns functions that call and end it */
function paced(work: () => Promise<void>) {
  let [isDue, isResting, hasEnded] = [false, false, false];
  async function run(): Promise<void> {
    if (!isDue || isResting || hasEnded) return;
    [isDue, isResting] = [false, true];
    await work().catch((error: unknown) => {
      isDue ||= error instanceof ApiError && secondsUntilRetry(error.problem) !== undefined;
    });
    setTimeout(() => {
      isResting = false;
      void run();
    }, REST_MS);
  }
  const call = (): void => {
    isDue = true;
    void run();
  };
  return { call, end: (): void => void (hasEnded = true) };
}

class Live {
  isConnected = $state(true);

  /**
   * Follows changes in the practice of the session.
   * @param refresh reads again what the session has read for all screens
   * @returns a function that stops it
   */
  start(refresh: () => Promise<void>): () => void {
    const again = paced(refresh);
    const heard = (table: string): void => {
      touch(table);
      if (table === '*' || shared.has(table)) again.call();
    };
    // Other records follow from many writes: an invoice from its credit note, appointments from their series.
    onWrite(() => touch('*'));
    const channel = api.channel('console');
    channel
      .on('postgres_changes', { event: '*', schema: 'public', table: '*' }, ({ table }) => heard(table))
      // The server reports that it has missed changes.
      .on('system', {}, ({ status }: { status: string }) => void (status === 'error' && heard('*')))
      .subscribe((status) => {
        this.isConnected = status === 'SUBSCRIBED';
        // Realtime misses changes while it is disconnected.
        if (this.isConnected) heard('*');
      });
    const online = (): void => touch('*');
    addEventListener('online', online);
    return () => {
      again.end();
      removeEventListener('online', online);
      void api.removeChannel(channel);
    };
  }
}

export const live = new Live();
