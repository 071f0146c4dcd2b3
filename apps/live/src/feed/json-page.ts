// A page of the feed as JSON. With `wait`, an empty page is held back until there is an event.

import { formatCursor } from '@practice/feed';
import type { Cursor, FeedEvent, PracticeFeed, Reader } from '@practice/feed';
import { visibleText } from './visible-text.js';

export interface PageQuestion {
  readonly feed: PracticeFeed;
  readonly therapistId: string;
  readonly reader: Reader;
  readonly cursor: Cursor;
  readonly limit: number;
  readonly selects: (event: FeedEvent) => boolean;
}

interface ShownPage {
  readonly texts: readonly string[];
  readonly cursor: Cursor;
  readonly more: boolean;
}

/** Events that one request looks through before it answers with an empty page and `more`. */
const LOOKED_THROUGH = 5_000;

/** The text of the next page. It is empty only if there is no visible event, or none among many. */
export const pageText = ({ texts, cursor, more }: ShownPage): string =>
  `{"events":[${texts.join(',')}],"cursor":"${formatCursor(cursor)}","more":${String(more)}}`;

/** @throws {Rejection} PM503 when an owner cannot answer */
export async function nextPage({
  feed,
  therapistId,
  cursor,
  limit,
  ...view
}: PageQuestion): Promise<ShownPage> {
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
 * @returns the cursor before that event, or after the events that the caller does not see
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
