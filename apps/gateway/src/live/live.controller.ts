// The calls that live processes answer. The gateway has authenticated and counted them; the live process authenticates them again,
// since it has to know when the token ends. The WebSockets of realtime reach live processes through `upgrades.ts`.

import { createHash } from 'node:crypto';
import { Controller, Get, Post, Req } from '@nestjs/common';
import { CALENDAR_PATH } from '@practice/contracts';
import { Endpoint } from '../http/endpoint.js';
import { advance, type HttpRequest } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { Limits, refuseBeyond } from '../limits/limits.js';
import { LiveProxy } from './live-proxy.js';
import { broadcastMessage, broadcastMessages, calendarOperation, feedOperation } from './operations.js';

const BROADCAST = 'realtime/v1/api/broadcast';

@Controller()
export class LiveController {
  constructor(
    private readonly live: LiveProxy,
    private readonly limits: Limits,
  ) {}

  /**
   * A calendar for the holder of its link. A live process looks the link up and makes the text. Reads are counted for each address
   * and each link. Counters may be in Redis, so the hash of the secret names the link.
   */
  @Get(`${CALENDAR_PATH}/:file`)
  @Endpoint({ access: 'open', limitOfAddress: 'reads', operation: calendarOperation })
  async calendar(@Req() request: HttpRequest): Promise<HttpResponse | undefined> {
    const { file = '' } = request.params as { file?: string };
    const link = createHash('sha256').update(file).digest('base64url');
    const { quota } = advance(request.stage, { quota: await this.limits.take('reads', link) });
    refuseBeyond(quota);
    return this.live.forward(request, `/${CALENDAR_PATH}/${encodeURIComponent(file)}`);
  }

  /** With and without a trailing slash (Nest removes one slash from the end of a path). */
  @Get(['events/v1', 'events/v1//'])
  @Endpoint({ access: 'user', isOpenEnded: true, operation: feedOperation })
  feed(@Req() request: HttpRequest): Promise<HttpResponse | undefined> {
    return this.live.forward(request);
  }

  /** Broadcasts a list of messages, as `send` of supabase-js does without a socket. */
  @Post(BROADCAST)
  @Endpoint({ access: 'user', operation: broadcastMessages })
  messages(@Req() request: HttpRequest): Promise<HttpResponse | undefined> {
    return this.live.forward(request);
  }

  /** Broadcasts one message, whose content is the body, as `httpSend` of supabase-js does. */
  @Post(`${BROADCAST}/:topic/events/:event`)
  @Endpoint({ access: 'user', operation: broadcastMessage })
  message(@Req() request: HttpRequest): Promise<HttpResponse | undefined> {
    return this.live.forward(request);
  }
}
