// GET /calendar/v1/<secret>.ics: the appointments of a practice, for the holder of a link.

import type { ServerResponse } from 'node:http';
import { CALENDAR_PATH } from '@practice/contracts';
import { type Problem, problemFor, reject } from '@practice/core';
import type { Endpoint, LiveRequest, LiveRuntime } from '../endpoint.js';
import { Calendars, CalendarSource } from './calendars.js';

const ended: Problem = problemFor('PM404', {
  message: 'The link leads to no calendar: it was revoked, has ended or is not valid',
  hint: 'Call rpc/create_calendar_link for a new one.',
});

const headersWith = (tag: string): Record<string, string> => ({
  'Content-Type': 'text/calendar; charset=utf-8',
  'Content-Disposition': 'inline; filename="appointments.ics"',
  'Cache-Control': 'private, no-cache',
  ETag: tag,
});

export class CalendarEndpoint implements Endpoint {
  readonly prefix = `/${CALENDAR_PATH}`;
  private readonly calendars: Calendars;

  constructor(private readonly runtime: Pick<LiveRuntime, 'requester' | 'logger'>) {
    this.calendars = new Calendars(runtime.logger);
  }

  async handle({ url, id, ip, method, headers }: LiveRequest, response: ServerResponse): Promise<void> {
    const source = new CalendarSource(this.runtime.requester, id);
    const file = decodeURIComponent(url.pathname.slice(this.prefix.length + 1));
    const link = (await source.link(file, ip)) ?? reject(ended);
    const version = await this.calendars.version(link, source);
    // The header may have several tags, weak ones too (RFC 9110, 13.1.2).
    const known = headers['if-none-match']?.trim() ?? '';
    const isKnown = known === '*' || known.includes(version.tag);
    if (isKnown || method === 'HEAD') {
      response.writeHead(isKnown ? 304 : 200, headersWith(version.tag)).end();
      return;
    }
    const { tag, bytes } = await this.calendars.text(link, version, source);
    response.writeHead(200, { ...headersWith(tag), 'Content-Length': bytes.length }).end(bytes);
  }
}
