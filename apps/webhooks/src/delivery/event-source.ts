// Where the events of a practice come from. The log keeps all of them, so a cursor can lie anywhere in it.

import { type CloudEvent, type Connection, createRequester } from '@practice/bus';
import { advance, cursorSince, formatCursor, parseCursor, PracticeFeed, visibleEvent } from '@practice/feed';
import type { Cursor, FeedEvent } from '@practice/feed';

/** An event, and the cursor behind it. */
export interface FoundEvent {
  readonly event: CloudEvent;
  /** The short name of its type. */
  readonly type: string;
  readonly cursor: string;
}

interface EventPage {
  readonly events: readonly FoundEvent[];
  /** The cursor behind the page. */
  readonly cursor: string;
  /** Whether there are more events behind it. */
  readonly hasMore: boolean;
  /** False: a service could not be asked. Its events come later. */
  readonly isWhole: boolean;
}

const PAGE = 100;
const ANSWER_WITHIN_MS = 5_000;

/** The events of practices as their owners may see them, without confidential columns. */
export class EventSource {
  private readonly feed: PracticeFeed;

  constructor(connection: Connection) {
    const requester = createRequester({ connection, user: 'webhooks', timeoutMs: ANSWER_WITHIN_MS });
    this.feed = new PracticeFeed({ connection, requester, logger: connection.logger });
  }

  /** The events behind a cursor, in the order of the log of each service. */
  async page(therapistId: string, after: string): Promise<EventPage> {
    // A service that is unavailable delays its own events only.
    const options = { limit: PAGE, mayLack: true } as const;
    const page = await this.feed.page(therapistId, parseCursor(after), options);
    let last = page.from;
    const found = page.events.flatMap((event) => {
      last = advance(last, event);
      return foundAt(event, last);
    });
    return { events: found, cursor: formatCursor(last), hasMore: page.more, isWhole: page.isWhole };
  }

  /** The cursor behind the events that were recorded before an instant, in ISO 8601. */
  at(instant: string): string {
    // A future instant is the present: events from now on.
    return formatCursor(cursorSince(new Date(Math.min(Date.parse(instant), Date.now() + 1))));
  }

  /** Calls back whenever a practice may have new events, and once if it has any. Returns the way to stop. */
  watch(therapistId: string, onNews: () => void): () => void {
    return this.feed.watch(therapistId, onNews);
  }

  /** Stops listening. */
  close(): void {
    this.feed.close();
  }

  /** Whether a text is a cursor. */
  isCursor(text: string): boolean {
    try {
      parseCursor(text);
      return true;
    } catch {
      return false;
    }
  }
}

/** Events that owners do not see are left out. */
function foundAt(event: FeedEvent, cursor: Cursor): FoundEvent[] {
  const visible = visibleEvent(event, { role: 'owner' });
  return visible === undefined ? [] : [{ event: visible, type: event.type, cursor: formatCursor(cursor) }];
}
