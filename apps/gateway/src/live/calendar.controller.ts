import { createHash } from 'node:crypto';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { CALENDAR_PATH } from '@practice/contracts';
import { Endpoint } from '../http/endpoint.js';
import { advance } from '../http/request.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { Limits } from '../limits/limits.js';
import { refuseBeyond } from '../limits/refusals.js';
import { calendarOperation } from './calendar-call.js';
import { LiveProxy } from './live-proxy.js';

/** Calendars for the holders of their links. A live process looks the link up and makes the text. */
@Controller(CALENDAR_PATH)
export class CalendarController {
  constructor(
    private readonly live: LiveProxy,
    private readonly limits: Limits,
  ) {}

  /** Reads are counted for each address and each link. Counters may be in Redis, so the hash of the secret names the link. */
  @Get(':file')
  @Endpoint({ access: 'open', limitOfAddress: 'reads', operation: calendarOperation })
  async calendar(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const { file = '' } = request.params as { file?: string };
    const link = createHash('sha256').update(file).digest('base64url');
    const { quota } = advance({ ...request.stage, quota: await this.limits.take('reads', link) });
    refuseBeyond(quota);
    await this.live.forward(request, reply, `/${CALENDAR_PATH}/${encodeURIComponent(file)}`);
  }
}
