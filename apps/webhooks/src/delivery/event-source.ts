// The source of the events of a practice. The log keeps all events, so a cursor can be anywhere in it.

import { type CloudEvent, type Connection, createRequester } from '@practice/bus';
import { advance, cursorSince, formatCursor, parseCursor, PracticeFeed, visibleEvent } from '@practice/feed';
import type { Cursor, FeedEvent } from '@practice/feed';

/** An event, and the cursor after it. */
export interface FoundEvent {
  readonly event: CloudEvent;
  /** The short name of its type. */
  readonly type: string;
  readonly cursor: string;
}

const PAGE = 100;
const ANSWER_WITHIN_MS = 5_000;

/** The events of practices that their owners may see, without confidential columns. */
export class EventSource extends PracticeFeed {
  constructor(connection: Connection) {
    const requester = createRequester({ connection, user: 'webhooks', timeoutMs: ANSWER_WITHIN_MS });
    super({ connection, requester, logger: connection.logger });
  }

  /**
   * The events after a cursor, in the order of the log of each service.
   * @returns a page, the cursor after it, and whether there are more events after it; `isWhole` is false if a service did not
   *   answer. Its events come later.
   */
  async pageAfter(therapistId: string, after: string) {
    // A service that is unavailable delays only its own events.
    const options = { limit: PAGE, mayLack: true } as const;
    const page = await this.page(therapistId, parseCursor(after), options);
    let last = page.from;
    const found = page.events.flatMap((event) => {
      last = advance(last, event);
      return foundAt(event, last);
    });
    return { events: found, cursor: formatCursor(last), hasMore: page.more, isWhole: page.isWhole };
  }

  /** The cursor after the events that were recorded before an instant in ISO 8601. */
  at(instant: string): string {
    // A future instant means now: the cursor is before events from now on.
    return formatCursor(cursorSince(new Date(Math.min(Date.parse(instant), Date.now() + 1))));
  }

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
