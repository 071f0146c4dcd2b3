// Calendars that were made, by the links that show them. A text is made again only when its appointments may have changed.

import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { CALENDAR_PAGE_ROWS } from '@practice/contracts';
import type { CalendarPlace, CalendarRow, KnownCalendarLink } from '@practice/contracts';
import { busy, processTime, reject } from '@practice/core';
import { histogram } from '@practice/metrics';
import type { Logger } from '@practice/process';
import { LRUCache } from 'lru-cache';
import type { CalendarSource } from './calendar-source.js';
import { calendarOf } from './calendar-text.js';
import type { Calendar } from './calendar-text.js';
import type { Span } from './time-zone-component.js';

/** A calendar as it is kept. */
export interface CalendarText {
  readonly tag: string;
  /** With gzip: about a tenth of the text. */
  readonly packed: Buffer;
  /** The length of the text. */
  readonly bytes: number;
  /** Milliseconds of `performance.now()`. The text has everything that was recorded before. */
  readonly begunAt: number;
}

/** The facts that decide the text of a calendar. */
export interface CalendarVersion {
  readonly tag: string;
  readonly zone: string;
  readonly span: Span;
}

const DAY_MS = 86_400_000;
const DAYS_BACK = 90;
const DAYS_AHEAD = 365;
/** A calendar of more would take long to make and to read. The appointments furthest ahead are left out. */
const MOST_ROWS = 10_000;
/** A new form of the same appointments has another tag. */
const FORM = 2;
/** The memory for all texts of this process. */
const KEPT_BYTES = 16 * 1024 * 1024;
const BYTES_PER_ENTRY = 1024;
/** Calendar programs read every few minutes to hours. */
const KEPT_MS = 3_600_000;
/** Reads of one practice that wait while a text is made. */
const MAY_WAIT = 64;

const building = histogram('practice_calendar_build_duration_seconds');

export class Calendars {
  private readonly texts = new LRUCache<string, CalendarText>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ packed }) => BYTES_PER_ENTRY + packed.length,
    ttl: KEPT_MS,
  });
  /** The reads of each practice that wait or make a text. */
  private readonly lines = new Map<string, { last: Promise<unknown>; count: number }>();

  constructor(private readonly logger: Logger) {}

  /** The current version of the calendar of a link. */
  async version(link: KnownCalendarLink, source: CalendarSource): Promise<CalendarVersion> {
    const { version, zone } = await source.state(link);
    const span = spanOf(Date.now());
    const facts = [FORM, process.versions['tz'], version, span.from, scopeOf(link)];
    const tag = `"${createHash('sha256').update(JSON.stringify(facts)).digest('base64url')}"`;
    return { tag, zone, span };
  }

  /**
   * The text of a version or a later one. One text of a practice is made at a time; other reads of the practice wait for it.
   * @throws {Rejection} when the service of appointments refuses or is unavailable, or too many reads of the practice wait
   */
  async text(
    link: KnownCalendarLink,
    version: CalendarVersion,
    source: CalendarSource,
  ): Promise<CalendarText> {
    const scope = scopeOf(link);
    const askedAt = performance.now();
    const kept = this.texts.get(scope);
    if (kept?.tag === version.tag) return kept;
    return this.inTurn(link.therapistId, async () => {
      const made = this.texts.get(scope);
      if (made !== undefined && made.begunAt >= askedAt) return made;
      const begunAt = performance.now();
      const current = await this.version(link, source);
      if (made?.tag === current.tag) return made;
      const text = { tag: current.tag, begunAt, ...(await packed(textOf(link, current, source))) };
      this.texts.set(scope, text);
      const ms = Math.round(performance.now() - begunAt);
      building.observe(ms / 1000);
      this.logger.info({ requestId: source.requestId, bytes: text.bytes, ms }, 'a calendar was made');
      return text;
    });
  }

  private async inTurn<Result>(practice: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.lines.get(practice) ?? { last: Promise.resolve(), count: 0 };
    if (line.count >= MAY_WAIT) reject(busy);
    line.count += 1;
    this.lines.set(practice, line);
    const result = line.last.then(work);
    line.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      line.count -= 1;
      if (line.count === 0) this.lines.delete(practice);
    }
  }
}

/** Calendars with the same scope have the same text. */
const scopeOf = ({ therapistId, practiceRole, full, practitionerId }: KnownCalendarLink): string =>
  [therapistId, practiceRole, full, practitionerId].join(' ');

const spanOf = (now: number): Span => {
  const today = now - (now % DAY_MS);
  return { from: today - DAYS_BACK * DAY_MS, to: today + DAYS_AHEAD * DAY_MS };
};

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The parts of the text. One page of appointments is in memory at a time. */
async function* textOf(
  link: KnownCalendarLink,
  { zone, span: { from, to } }: CalendarVersion,
  source: CalendarSource,
): AsyncGenerator<string> {
  const { full, practitionerId, therapistId } = link;
  // Days of a time zone begin up to a day before or after the days of UTC.
  const calendar = calendarOf({ zone, full }, { from: from - DAY_MS, to: to + 2 * DAY_MS });
  const question = { full, practitionerId, first: dayOf(from), last: dayOf(to) };
  yield calendar.head;
  let after: CalendarPlace | undefined;
  for (let count = 0; count < MOST_ROWS; count += CALENDAR_PAGE_ROWS) {
    const rows = await source.page(link, { ...question, ...(after && { after }) });
    yield await processTime.run({ therapistId }, eventsOf(rows, calendar));
    after = rows.at(-1);
    if (rows.length < CALENDAR_PAGE_ROWS) break;
  }
  yield calendar.tail;
}

function* eventsOf(rows: readonly CalendarRow[], { event }: Calendar): Generator<void, string> {
  let text = '';
  for (const row of rows) {
    text += event(row);
    yield;
  }
  return text;
}

async function packed(text: AsyncIterable<string>): Promise<Pick<CalendarText, 'packed' | 'bytes'>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const part of text) {
      const buffer = Buffer.from(part);
      bytes += buffer.length;
      yield buffer;
    }
  };
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const part of source) parts.push(part);
  };
  await pipeline(counted, createGzip({ level: constants.Z_BEST_SPEED }), collect);
  return { packed: Buffer.concat(parts), bytes };
}
