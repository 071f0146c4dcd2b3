// A cache of calendar texts. A text is made again only when its appointments may have changed.

import { createHash } from 'node:crypto';
import type { Requester } from '@practice/bus';
import {
  CALENDAR_FILE,
  CALENDAR_LINK,
  CALENDAR_PAGE,
  CALENDAR_PAGE_ROWS,
  CALENDAR_STATE,
  type CalendarLinkEnvelope,
  type CalendarPlace,
  type CalendarQuestion,
  type CalendarReader,
  type CalendarRow,
  type CalendarState,
  type KnownCalendarLink,
} from '@practice/contracts';
import { busy, type OutgoingEnvelope, type Problem, processTime, reject } from '@practice/core';
import { histogram } from '@practice/metrics';
import type { Logger } from '@practice/process';
import { LRUCache } from 'lru-cache';
import { type Calendar, calendarOf, type Span } from './calendar-text.js';

/** The requests that a calendar needs, and the id of the request that reads the calendar. */
type Source = Pick<CalendarSource, 'requestId' | 'state' | 'page'>;

/** A calendar in the cache. */
interface CalendarText {
  readonly tag: string;
  readonly bytes: Buffer;
  /** Milliseconds of `performance.now()`. The text contains every change before this time. */
  readonly begunAt: number;
}

/** The facts that decide the text of a calendar. */
type CalendarVersion = Awaited<ReturnType<Calendars['version']>>;

const DAY_MS = 86_400_000;
const DAYS_BACK = 90;
const DAYS_AHEAD = 365;
/** A larger calendar would take long to make and to read. The latest appointments are left out. */
const MOST_ROWS = 10_000;
/** No page is begun beyond this size. Ten thousand appointments with names of usual length fit. */
const MOST_BYTES = 4 * 1024 * 1024;
/** The version of the text format. It is a part of the tag, so a new format changes all tags. */
const FORM = 2;
/** The memory for all texts of this process. */
const KEPT_BYTES = 16 * 1024 * 1024;
const BYTES_PER_ENTRY = 1024;
/** Calendar programs read at intervals from a few minutes to hours. */
const KEPT_MS = 3_600_000;
/** The maximum number of reads of one practice that wait or make a text. */
const MAY_WAIT = 64;

const building = histogram('practice_calendar_build_duration_seconds');

export class Calendars {
  private readonly texts = new LRUCache<string, CalendarText>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => BYTES_PER_ENTRY + bytes.length,
    ttl: KEPT_MS,
  });
  /** The reads of each practice that wait or make a text. */
  private readonly lines = new Map<string, { last: Promise<unknown>; count: number }>();

  constructor(private readonly logger: Logger) {}

  /** The current version of the calendar of a link. */
  async version(link: KnownCalendarLink, source: Source) {
    const { version, zone } = await source.state(link);
    const span = spanOf(Date.now());
    const facts = [FORM, process.versions['tz'], version, span.from, scopeOf(link)];
    const tag = `"${createHash('sha256').update(JSON.stringify(facts)).digest('base64url')}"`;
    return { tag, zone, span };
  }

  /**
   * The text of this version or a later version. One text of a practice is made at a time; other reads of the practice wait.
   * @throws {Rejection} when the service of appointments refuses or is unavailable, or too many reads of the practice wait
   */
  async text(link: KnownCalendarLink, version: CalendarVersion, source: Source): Promise<CalendarText> {
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
      const bytes = await textOf(link, current, source);
      const text = { tag: current.tag, bytes, begunAt };
      this.texts.set(scope, text);
      const ms = Math.round(performance.now() - begunAt);
      building.observe(ms / 1000);
      this.logger.info({ requestId: source.requestId, bytes: bytes.length, ms }, 'a calendar was made');
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

/** The text in UTF-8. One page of appointments is in memory at a time. */
async function textOf(
  link: KnownCalendarLink,
  { zone, span: { from, to } }: CalendarVersion,
  source: Source,
): Promise<Buffer> {
  const { full, practitionerId, therapistId } = link;
  // Days of a time zone begin up to a day before or after the days of UTC.
  const calendar = calendarOf({ zone, full }, { from: from - DAY_MS, to: to + 2 * DAY_MS });
  const question = { full, practitionerId, first: dayOf(from), last: dayOf(to) };
  const parts = [Buffer.from(calendar.head)];
  let after: CalendarPlace | undefined;
  for (let [rows, bytes] = [0, 0]; rows < MOST_ROWS && bytes < MOST_BYTES;) {
    const page = await source.page(link, { ...question, ...(after && { after }) });
    const part = Buffer.from(await processTime.run({ therapistId }, eventsOf(page, calendar)));
    parts.push(part);
    after = page.at(-1);
    rows += page.length;
    bytes += part.length;
    if (page.length < CALENDAR_PAGE_ROWS) break;
  }
  return Buffer.concat([...parts, Buffer.from(calendar.tail)]);
}

function* eventsOf(rows: readonly CalendarRow[], { event }: Calendar): Generator<void, string> {
  let text = '';
  for (const row of rows) {
    text += event(row);
    yield;
  }
  return text;
}

/** The requests that one read of a calendar sends to the services with links and appointments. */
export class CalendarSource {
  constructor(
    private readonly requester: Requester,
    readonly requestId: string,
  ) {}

  /**
   * The link of a file, with the current role of its creator; null if there is no link. A malformed secret is looked up like an
   * unknown secret, so the response and its time are the same.
   * @throws {Rejection} when the service is unavailable
   */
  async link(file: string, address: string): Promise<KnownCalendarLink | null> {
    const secret = file.endsWith(CALENDAR_FILE) ? file.slice(0, -CALENDAR_FILE.length) : '';
    const hash = createHash('sha256').update(secret).digest('base64url');
    const envelope: CalendarLinkEnvelope = { hash, address };
    return this.ask('identity', { op: CALENDAR_LINK, ...envelope }, '');
  }

  /** @throws {Rejection} for the reasons of `link` */
  state(reader: CalendarReader): Promise<CalendarState> {
    return this.ask('scheduling', { op: CALENDAR_STATE, ...readerOf(reader) }, '');
  }

  /** @throws {Rejection} when the service refuses or is unavailable */
  page(reader: CalendarReader, question: CalendarQuestion): Promise<CalendarRow[]> {
    return this.ask('scheduling', { op: CALENDAR_PAGE, ...readerOf(reader) }, JSON.stringify(question));
  }

  private async ask<Answer>(
    service: string,
    envelope: Omit<OutgoingEnvelope, 'requestId'>,
    body: string,
  ): Promise<Answer> {
    const { requestId } = this;
    const reply = await this.requester.request(service, { ...envelope, requestId }, body);
    const answer = JSON.parse(reply.body.toString()) as unknown;
    if (reply.status !== 200) reject({ ...(answer as Problem), status: reply.status });
    return answer as Answer;
  }
}

const readerOf = ({ therapistId, userId, practiceRole }: CalendarReader): CalendarReader => ({
  ...{ therapistId, userId, practiceRole },
});
