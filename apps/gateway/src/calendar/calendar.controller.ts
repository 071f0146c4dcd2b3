// Delivers calendars to the holders of their links.

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { CALENDAR_FILE, CALENDAR_LINK, CALENDAR_PATH } from '@practice/contracts';
import type { CalendarLinkEnvelope, KnownCalendarLink } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Requester } from '@practice/messaging';
import { hashOf } from '../exports/part-seal.js';
import { Access } from '../http/access.js';
import { hasTag } from '../http/entity-tag.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { Responses } from '../http/responses.js';
import { CountedByAddress } from '../limits/counted.js';
import { refuseBeyond } from '../limits/limits.guard.js';
import { Limits } from '../limits/limits.js';
import { REQUESTER } from '../route/requester.js';
import { CalendarRows } from './calendar-rows.js';
import type { CalendarPage } from './calendar-rows.js';
import { calendarOf } from './calendar-text.js';
import type { CalendarOptions } from './calendar-text.js';
import type { Span } from './time-zone-component.js';

const DAY_MS = 86_400_000;
const DAYS_BACK = 90;
const DAYS_AHEAD = 365;
/** Other requests have their turn after so many appointments. */
const AT_ONCE = 100;
/** A new form of the same appointments has another tag. */
const FORM = 1;

const ended = {
  status: 404,
  code: 'PM404',
  message: 'The link leads to no calendar: it was revoked, has ended or is not valid',
  hint: 'Call rpc/create_calendar_link for a new one.',
};

@Controller(CALENDAR_PATH)
export class CalendarController {
  constructor(
    @Inject(REQUESTER) private readonly requester: Requester,
    private readonly rows: CalendarRows,
    private readonly limits: Limits,
    private readonly responses: Responses,
  ) {}

  /** A malformed secret takes the same way as an unknown one, so the response and its time are the same. */
  @Get(':file')
  @Access('open')
  @CountedByAddress('reads')
  async calendar(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const { file = '' } = request.params as { file?: string };
    const secret = file.endsWith(CALENDAR_FILE) ? file.slice(0, -CALENDAR_FILE.length) : '';
    const link = (await this.linkBehind(hashOf(secret), request)) ?? reject(ended);
    request.quota = await this.limits.take('reads', link.id);
    refuseBeyond(request.quota);
    const { therapistId, userId, practiceRole } = link;
    request.identity = { therapistId, userId, practiceRole };
    const reader = { identity: request.identity, link, address: request.ip, requestId: request.id };
    const span = spanOf(Date.now());
    const [zone, pages] = await Promise.all([this.rows.zone(reader), this.rows.pages(reader, daysOf(span))]);
    const options = { zone, full: link.full };
    const tag = tagOf(options, pages);
    const headers = {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'inline; filename="appointments.ics"',
      'Cache-Control': 'private, no-cache',
      ETag: tag,
    };
    if (hasTag(request.headers['if-none-match'], tag))
      return this.responses.send(request, reply, { status: 304, headers });
    const body = request.method === 'HEAD' ? '' : await textOf(pages, options, span);
    this.responses.send(request, reply, { status: 200, headers, body });
  }

  private async linkBehind(hash: string, { id: requestId, ip: address }: HttpRequest) {
    const envelope: CalendarLinkEnvelope = { hash, address };
    const { body } = await this.requester.request(
      'identity',
      { op: CALENDAR_LINK, requestId, ...envelope },
      '',
    );
    return JSON.parse(body.toString()) as KnownCalendarLink | null;
  }
}

const spanOf = (now: number): Span => {
  const today = now - (now % DAY_MS);
  return { from: today - DAYS_BACK * DAY_MS, to: today + DAYS_AHEAD * DAY_MS };
};

const daysOf = ({ from, to }: Span) => ({ first: dayOf(from), last: dayOf(to) });

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** It changes with the rows, so the calendar need not be made to compare it. */
function tagOf({ zone, full }: CalendarOptions, pages: readonly CalendarPage[]): string {
  const hash = createHash('sha256').update(JSON.stringify([FORM, process.versions['tz'], zone, full]));
  for (const { body } of pages) hash.update(body);
  return `"${hash.digest('base64url')}"`;
}

async function textOf(
  pages: readonly CalendarPage[],
  options: CalendarOptions,
  { from, to }: Span,
): Promise<string> {
  // Days of a time zone begin up to a day before or after the days of UTC.
  const { head, event, tail } = calendarOf(options, { from: from - DAY_MS, to: to + 2 * DAY_MS });
  const rows = pages.flatMap((page) => page.rows);
  let text = head;
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    for (const row of rows.slice(at, at + AT_ONCE)) text += event(row);
  }
  return text + tail;
}
