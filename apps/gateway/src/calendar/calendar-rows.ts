// Reads what a calendar shows, over the read path of every request, with the identity of the maker of the link: roles and row-level
// security apply as they do for any read.

import { Inject, Injectable } from '@nestjs/common';
import type { KnownCalendarLink } from '@practice/contracts';
import { Rejection } from '@practice/core';
import type { Identity } from '@practice/core';
import type { Reply, Requester } from '@practice/messaging';
import { parseRequest, toWire } from '@practice/query';
import type { QueryEnvelope } from '@practice/service';
import { FairQueues } from '../limits/fair-queues.js';
import { REQUESTER } from '../route/requester.js';
import type { CalendarRow } from './calendar-text.js';

/** From whom and for whom a calendar is read. */
export interface CalendarReader {
  readonly link: KnownCalendarLink;
  /** The maker of the link, in the role of now. */
  readonly identity: Identity;
  readonly address: string;
  readonly requestId: string;
}

/** The days that a calendar shows, both included. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/** A page of appointments as Postgres wrote it. */
export interface CalendarPage {
  readonly body: Buffer;
  readonly rows: readonly CalendarRow[];
}

const OK = 200;
/** The most rows of one read. */
const PAGE_ROWS = 1000;
/** A calendar of more would take long to make and to read. The appointments furthest ahead are left out. */
const MOST_PAGES = 20;
const SERVICE = 'scheduling';
const OWN = 'id,version,status,date,starts_at,ends_at,client_id,client_name,created_at,updated_at';

@Injectable()
export class CalendarRows {
  constructor(
    @Inject(REQUESTER) private readonly requester: Requester,
    private readonly queues: FairQueues,
  ) {}

  /** @throws {Rejection} when the service refuses or is unavailable */
  async zone(reader: CalendarReader): Promise<string> {
    const body = await this.read(reader, 'practice_settings', 'select=time_zone');
    const [settings] = JSON.parse(body.toString()) as readonly { readonly time_zone: string }[];
    return settings?.time_zone ?? 'UTC';
  }

  /**
   * The appointments of these days in the order of their days; most practices have one page.
   * @throws {Rejection} as `zone`
   */
  async pages(reader: CalendarReader, days: Days): Promise<CalendarPage[]> {
    const pages: CalendarPage[] = [];
    for (let after: Last | undefined; pages.length < MOST_PAGES;) {
      const body = await this.read(reader, 'appointments', queryOf(reader.link, days, after));
      const rows = JSON.parse(body.toString()) as (CalendarRow & Last)[];
      pages.push({ body, rows });
      after = rows.at(-1);
      if (rows.length < PAGE_ROWS) break;
    }
    return pages;
  }

  private async read(reader: CalendarReader, resource: string, query: string): Promise<Buffer> {
    const { identity, address, requestId } = reader;
    const request = parseRequest({ method: 'GET', resource, query, headers: {}, body: NONE });
    const envelope: QueryEnvelope = { op: 'query', identity, requestId, address };
    const turn = this.queues.enter(envelope);
    try {
      if (turn !== undefined) await turn;
      return bodyOf(await this.requester.request(SERVICE, envelope, JSON.stringify(toWire(request))));
    } finally {
      this.queues.leave(envelope);
    }
  }
}

const NONE = new Uint8Array();

/** The last row of a page. */
interface Last {
  readonly id: string;
  readonly date: string;
}

function queryOf({ full, practitionerId }: KnownCalendarLink, days: Days, after: Last | undefined): string {
  const conditions = [
    // An appointment of the whole practice is in every calendar.
    ...(practitionerId === null ? [] : [`or(practitioner_id.eq.${practitionerId},practitioner_id.is.null)`]),
    ...(after === undefined
      ? []
      : [`or(date.gt.${after.date},and(date.eq.${after.date},id.gt.${after.id}))`]),
  ];
  return [
    `select=${OWN}${full ? ',service_menu(name)' : ''}`,
    `date=gte.${after?.date ?? days.first}`,
    `date=lte.${days.last}`,
    ...(conditions.length === 0 ? [] : [`and=(${conditions.join(',')})`]),
    `order=date,id&limit=${PAGE_ROWS}`,
  ].join('&');
}

function bodyOf({ status, body }: Reply<Buffer>): Buffer {
  if (status === OK) return body;
  throw new Rejection({ ...(JSON.parse(body.toString()) as { code: string; message: string }), status });
}
