// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Only the event that is being written is in
// memory for a reader; a reader that is too slow for it is cut off, and resumes at its last event.

import type { ServerResponse } from 'node:http';
import { formatCursor } from '@practice/feed';
import type { Cursor, FeedEvent, Following, PracticeFeed, Reader } from '@practice/feed';
import { counter } from '@practice/metrics';
import { STREAM_TYPE } from './feed-request.js';
import { visibleText } from './visible-text.js';

export interface StreamOptions {
  readonly feed: PracticeFeed;
  readonly therapistId: string;
  readonly reader: Reader;
  readonly cursor: Cursor;
  readonly selects: (event: FeedEvent) => boolean;
}

/** A comment at least this often keeps the connection open, and shows that it is. */
const COMMENT_MS = 15_000;
/** The longest time in which a reader takes nothing. */
const SLOW_MS = 30_000;
/** How soon a browser connects again. */
const RETRY_MS = 1_000;

const sent = counter('practice_feed_events_total');

export class EventStream {
  private readonly comments: NodeJS.Timeout;
  private readonly following: Following;
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
    });
  }

  /** Ends the response; the reader comes back with a fresh token, or to another process. */
  end(): void {
    this.following.stop();
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

  /** An id without data moves the reader past events that it does not get. */
  private comment(): void {
    if (this.response.writableNeedDrain) return;
    const cursor = formatCursor(this.following.cursor);
    const id = cursor === this.known ? '' : `id: ${cursor}\n`;
    this.known = cursor;
    this.response.write(`: still here\n${id}\n`);
  }

  /** @throws {Error} when the reader takes nothing for too long, or is gone */
  private write(text: string): Promise<void> | void {
    const { response } = this;
    if (response.destroyed) throw new Error('the reader is gone');
    if (response.write(text)) return;
    return new Promise((resolve, fail) => {
      const settle = (after: () => void) => (): void => {
        clearTimeout(timer);
        response.off('drain', drained).off('close', closed);
        after();
      };
      const drained = settle(resolve);
      const closed = settle(() => fail(new Error('the reader is gone')));
      const timer = setTimeout(
        settle(() => fail(new Error('the reader is too slow'))),
        SLOW_MS,
      ).unref();
      response.once('drain', drained).once('close', closed);
    });
  }
}
