import { serviceNames } from '@practice/contracts';
import { formatCursor, parseCursor, PracticeFeed, advance, visibleEvent } from '@practice/feed';
import type { Cursor, FeedEvent, Page } from '@practice/feed';
import { createRequester } from '@practice/bus';
import type { Connection } from '@practice/bus';
import { EventSource } from './event-source.js';
import type { EventPage, FoundEvent } from './event-source.js';

const PAGE = 100;
const ANSWER_WITHIN_MS = 5_000;

/** The feed of a practice, as an owner sees it. */
export class FeedSource extends EventSource {
  private readonly feed: PracticeFeed;

  constructor(connection: Connection) {
    super();
    const requester = createRequester({ connection, user: 'webhooks', timeoutMs: ANSWER_WITHIN_MS });
    this.feed = new PracticeFeed({ connection, requester, logger: connection.logger });
  }

  async page(therapistId: string, after: string): Promise<EventPage> {
    const cursor = parseCursor(after);
    const whole = await this.feed.page(therapistId, cursor, { limit: PAGE }).catch(() => undefined);
    const { events, more } = whole ?? (await this.partOf(therapistId, cursor));
    let last = cursor;
    const found = events.flatMap((event) => {
      last = advance(last, event);
      return foundAt(event, last);
    });
    return { events: found, cursor: formatCursor(last), hasMore: more, isWhole: whole !== undefined };
  }

  async at(therapistId: string, instant: string): Promise<string> {
    return formatCursor(await this.feed.at(therapistId, new Date(instant)));
  }

  isCursor(text: string): boolean {
    try {
      parseCursor(text);
      return true;
    } catch {
      return false;
    }
  }

  /** A service that is unavailable delays its own events only. */
  private async partOf(therapistId: string, cursor: Cursor): Promise<Omit<Page, 'cursor'>> {
    const asked = await Promise.allSettled(
      serviceNames.map((service) =>
        this.feed.page(therapistId, cursor, { limit: PAGE, services: [service] }),
      ),
    );
    const pages = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    return { events: pages.flatMap(({ events }) => events), more: pages.some(({ more }) => more) };
  }
}

/** Events that owners do not see are left out. */
function foundAt(event: FeedEvent, cursor: Cursor): FoundEvent[] {
  const visible = visibleEvent(event, { role: 'owner' });
  return visible === undefined ? [] : [{ event: visible, type: event.type, cursor: formatCursor(cursor) }];
}
