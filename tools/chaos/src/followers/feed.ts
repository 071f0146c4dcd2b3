// Readers of the feed, one for each practice. They read pages with long polling, and after an error resume from the last cursor.
import { setTimeout as pause } from 'node:timers/promises';
import type { CloudEvent } from '@practice/bus';
import type { Journal } from '../load/journal.js';
import { ASKS_AGAIN, send, type ApiAccess, type Practice } from '../load/practice.js';
import { createReceived, type Received } from './received.js';

/** The members of an event that a reader needs. */
export type FeedEvent = Pick<CloudEvent, 'source' | 'therapistid' | 'position'>;

interface Page {
  readonly events: readonly FeedEvent[];
  readonly cursor: string;
}

/** Services whose events an owner sees without exception. */
export const FEED_SERVICES = ['clients', 'scheduling', 'finance', 'clinical-notes'];

/** Reads the feeds of these practices until stopped. */
export function readFeeds(api: ApiAccess, practices: readonly Practice[], journal: Journal) {
  const received = createReceived();
  const ending = new AbortController();
  const reading = practices.map(async (practice) => {
    for (let cursor = ''; !ending.signal.aborted;) {
      const page = await pageAfter(cursor, { api, practice, journal });
      if (page === undefined) await pause(100);
      for (const event of page?.events ?? []) takeOwn(received, practice, { event, journal });
      cursor = page?.cursor ?? cursor;
    }
  });
  return {
    received,
    stop: async (): Promise<void> => {
      ending.abort();
      await Promise.all(reading);
    },
  };
}

/** Notes an event that a practice has received. If it belongs to another practice, the journal notes an error. */
export function takeOwn(
  received: Received,
  { therapistId }: Practice,
  { event, journal }: { readonly event: FeedEvent; readonly journal: Journal },
): void {
  const { source, therapistid, position } = event;
  if (therapistid !== therapistId) journal.accuse(`${therapistId} received an event of ${therapistid}`);
  received.take(source.replace('/practice/', ''), therapistid, position);
}

async function pageAfter(
  cursor: string,
  { api, practice, journal }: { api: ApiAccess; practice: Practice; journal: Journal },
): Promise<Page | undefined> {
  const path = `/events/v1/?service=${FEED_SERVICES.join(',')}&limit=500&wait=1${cursor && `&cursor=${cursor}`}`;
  try {
    const { status, text } = await send(api, practice, { method: 'GET', path });
    if (status === 200) return JSON.parse(text) as Page;
    if (!ASKS_AGAIN.includes(status)) journal.accuse(`a reader of the feed was answered ${status}: ${text}`);
  } catch {
    return undefined;
  }
  return undefined;
}
