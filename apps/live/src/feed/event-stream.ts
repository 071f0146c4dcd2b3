// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). For each reader, only the event that is
// being written is in memory. A reader that is too slow is disconnected, and resumes at its last event.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { oncePer } from '@practice/core';
import { formatCursor, visibleEvent } from '@practice/feed';
import type { Cursor, FeedEvent, Following, PracticeFeed, Reader } from '@practice/feed';
import { counter } from '@practice/metrics';
import { STREAM_TYPE } from './feed-request.js';

/** The texts of an event, by the role and the scopes of a reader. Many readers of a practice share a text. */
const textsOf = oncePer(new WeakMap<FeedEvent, Map<string, string | undefined>>(), () => new Map());

/** The part of an event that a reader may see, as JSON; undefined if the reader may see no part. */
function visibleText(event: FeedEvent, reader: Reader): string | undefined {
  const known = textsOf(event);
  const key = [reader.role, ...(reader.scopes ?? ['all'])].join(' ');
  if (!known.has(key)) known.set(key, JSON.stringify(visibleEvent(event, reader)));
  return known.get(key);
}

interface StreamOptions {
  readonly feed: PracticeFeed;
  readonly therapistId: string;
  readonly reader: Reader;
  readonly cursor: Cursor;
  readonly selects: (event: FeedEvent) => boolean;
}

/** A comment at least this often keeps the connection open, and shows the reader that it is open. */
const COMMENT_MS = 15_000;
/** A reader that takes no data for this time is disconnected. */
const SLOW_MS = 30_000;
/** The delay before a browser reconnects. */
const RETRY_MS = 1_000;

const sent = counter('practice_feed_events_total');

export class EventStream {
  private readonly comments: NodeJS.Timeout;
  private readonly following: Following;
  /** Aborted when the reader is gone, or has taken no data for too long. */
  private readonly over = new AbortController();
  /** The cursor that the reader knows. */
  private known = '';

  /** Writes the head of the response and begins. */
  constructor(
    private readonly response: ServerResponse,
    private readonly options: StreamOptions,
  ) {
    response.writeHead(200, { 'Content-Type': `${STREAM_TYPE}; charset=utf-8` });
    response.write(`: events\nretry: ${RETRY_MS}\n\n`);
    this.comments = setInterval(() => this.comment(), COMMENT_MS).unref();
    this.following = options.feed.follow(options.therapistId, options.cursor, {
      onEvent: (event, cursor) => this.send(event, cursor),
      onError: () => response.destroy(),
    });
    response.once('close', () => {
      clearInterval(this.comments);
      this.following.stop();
      this.over.abort();
    });
  }

  /** Ends the response. The reader reconnects with a fresh token, or to another process. */
  end(): void {
    this.following.stop();
    clearInterval(this.comments);
    this.response.end();
    setTimeout(() => this.response.destroy(), RETRY_MS).unref();
  }

  private send(event: FeedEvent, cursor: Cursor): Promise<void> | void {
    const { selects, reader } = this.options;
    const text = selects(event) ? visibleText(event, reader) : undefined;
    if (text === undefined) return;
    sent.inc();
    this.known = formatCursor(cursor);
    return this.write(`id: ${this.known}\nevent: ${event.type}\ndata: ${text}\n\n`);
  }

  /** Writes a comment. An id without data moves the reader past events that it does not get. */
  private comment(): void {
    if (this.response.writableNeedDrain) return;
    const cursor = formatCursor(this.following.cursor);
    const id = cursor === this.known ? '' : `id: ${cursor}\n`;
    this.known = cursor;
    this.response.write(`: still here\n${id}\n`);
  }

  /** @throws {Error} when the reader takes no data for too long, or is gone */
  private write(text: string): Promise<void> | void {
    const { response } = this;
    if (response.destroyed) throw new Error('the reader is gone');
    if (!response.write(text)) return this.drained();
  }

  private async drained(): Promise<void> {
    const timer = setTimeout(() => this.over.abort(), SLOW_MS).unref();
    const { signal } = this.over;
    await once(this.response, 'drain', { signal }).finally(() => clearTimeout(timer));
  }
}

// A page of the feed as JSON. With `wait`, an empty page is delayed until there is an event.

export interface PageQuestion extends StreamOptions {
  readonly limit: number;
}

/** The number of events that one request reads before it answers with an empty page and `more`. */
const LOOKED_THROUGH = 5_000;

/** The JSON text of a page. */
export const pageText = ({ texts, cursor, more }: Awaited<ReturnType<typeof nextPage>>): string =>
  `{"events":[${texts.join(',')}],"cursor":"${formatCursor(cursor)}","more":${String(more)}}`;

/** The next page. It is empty only if no visible event is among the next events. @throws {Rejection} PM503 when an owner cannot answer */
export async function nextPage({ feed, therapistId, cursor, limit, ...view }: PageQuestion) {
  let from = cursor;
  for (let seen = 0; ;) {
    const page = await feed.page(therapistId, from, { limit });
    const texts = page.events.flatMap((event) =>
      view.selects(event) ? (visibleText(event, view.reader) ?? []) : [],
    );
    seen += page.events.length;
    from = page.cursor;
    if (texts.length > 0 || !page.more || seen >= LOOKED_THROUGH)
      return { texts, cursor: from, more: page.more };
  }
}

/**
 * Waits for an event that the caller sees.
 * @param signal ends the wait
 * @returns the cursor before this event, or after the events that the caller does not see
 */
export function untilEvent(question: PageQuestion, signal: AbortSignal): Promise<Cursor> {
  const { feed, therapistId, reader, selects } = question;
  return new Promise((resolve) => {
    let before = question.cursor;
    const end = (): void => {
      signal.removeEventListener('abort', end);
      following.stop();
      resolve(before);
    };
    const following = feed.follow(therapistId, question.cursor, {
      onEvent: (event, cursor) => {
        if (selects(event) && visibleText(event, reader) !== undefined) end();
        else before = cursor;
      },
      onError: end,
    });
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
