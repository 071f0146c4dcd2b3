// Broadcasts over HTTP. The WebSockets of realtime reach live processes through `upgrades.ts`.

import { Controller, Post, Req, Res } from '@nestjs/common';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { LiveProxy } from './live-proxy.js';

@Controller('realtime/v1/api/broadcast')
export class RealtimeController {
  constructor(private readonly live: LiveProxy) {}

  /** A list of messages, as `send` of supabase-js sends one without a socket. */
  @Post()
  messages(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    return this.live.forward(request, reply);
  }

  /** The content of one message, as `httpSend` of supabase-js sends it. */
  @Post(':topic/events/:event')
  message(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    return this.live.forward(request, reply);
  }
}
