// The resources that have changed, so that screens read them again. Changes come from realtime and from the writes of this page.

import { SvelteMap } from 'svelte/reactivity';
import { api, onWrite } from '../api/client.js';

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

/** Calls `work`, after its running call: many changes in a short time cause few calls. */
function inTurn(work: () => Promise<void>): () => void {
  let running = Promise.resolve();
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    running = running.then(() => {
      isDue = false;
      return work();
    });
  };
}

class Live {
  isConnected = $state(true);

  /**
   * Follows changes in the practice of the session.
   * @param refresh reads again what the session has read for all screens
   * @returns a function that stops it
   */
  start(refresh: () => Promise<void>): () => void {
    const again = inTurn(refresh);
    const heard = (table: string): void => {
      touch(table);
      if (table === '*' || shared.has(table)) again();
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
      removeEventListener('online', online);
      void api.removeChannel(channel);
    };
  }
}

export const live = new Live();
