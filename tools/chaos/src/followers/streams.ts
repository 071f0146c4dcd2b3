// Readers of server-sent events, one for each practice. Their connections are cut at any time, and they are sometimes slow. Each reader
// resumes after its last event.
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../load/persist.js';
import { ASKS_AGAIN, type Practice } from '../load/practice.js';
import { FEED_SERVICES, takeOwn, type FeedEvent } from './feed.js';
import { createReceived } from './received.js';

/** Parts that all readers share. A patient one reads a stream until it ends. */
export type Reading = Omit<Caller, 'practice'>;

/** The longest time of a connection, in milliseconds. */
const LONGEST = 10_000;
/** One of `SLOW` events delays its reader, by up to `SLOWNESS` milliseconds. */
const [SLOW, SLOWNESS] = [200, 400];

/** Reads the streams of these practices until stopped. */
export function readStreams(practices: readonly Practice[], reading: Reading) {
  const { random, journal, isPatient } = reading;
  const received = createReceived();
  const open = new Set<AbortController>();
  let [connections, refused, isEnding] = [0, 0, false];
  const readers = practices.map(async (practice) => {
    for (let last = ''; !isEnding; await pause(random(100))) {
      const cut = new AbortController();
      const cutting = isPatient ? undefined : setTimeout(() => cut.abort(), 200 + random(LONGEST));
      open.add(cut);
      try {
        const body = await connect(practice, last, { ...reading, cut: cut.signal });
        if (body === undefined) refused += 1;
        else connections += 1;
        for await (const { id, data } of body === undefined ? [] : messagesIn(body)) {
          if (data !== undefined)
            takeOwn(received, practice, { event: JSON.parse(data) as FeedEvent, journal });
          last = id ?? last;
          if (random(SLOW) === 0) await pause(random(SLOWNESS));
        }
      } catch {
        continue;
      } finally {
        clearTimeout(cutting);
        open.delete(cut);
      }
    }
  });
  return {
    received,
    /** How many connections were opened. */
    connections: () => connections,
    /** How many were refused. */
    refused: () => refused,
    stop: async (): Promise<void> => {
      isEnding = true;
      open.forEach((cut) => cut.abort());
      await Promise.all(readers);
    },
  };
}

/** @throws when the connection breaks */
async function connect(
  { token }: Practice,
  last: string,
  { api, journal, cut }: Reading & { readonly cut: AbortSignal },
): Promise<ReadableStream<Uint8Array> | undefined> {
  const response = await fetch(`${api.baseUrl}/events/v1/?service=${FEED_SERVICES.join(',')}`, {
    headers: {
      apikey: api.apikey,
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(last !== '' && { 'last-event-id': last }),
    },
    signal: cut,
  });
  if (response.status === 200) return response.body ?? undefined;
  const text = await response.text();
  if (!ASKS_AGAIN.includes(response.status))
    journal.accuse(`a reader of a stream was answered ${response.status}: ${text}`);
  return undefined;
}

/**
 * The messages of a body with server-sent events, as they arrive (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * Comments have neither an id nor data. A message that is cut off is left out.
 */
async function* messagesIn(body: ReadableStream<Uint8Array>) {
  const text = new TextDecoder();
  let rest = '';
  for await (const part of body) {
    const blocks = (rest + text.decode(part, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks)
      yield { id: /^id: ?(.*)$/m.exec(block)?.[1], data: /^data: ?(.*)$/m.exec(block)?.[1] };
  }
}
