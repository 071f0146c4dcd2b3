// Broadcasts over HTTP. The WebSockets of realtime reach live processes through `upgrades.ts`.

import { Controller, Post, Req, Res } from '@nestjs/common';
import { Endpoint } from '../http/endpoint.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { broadcastMessage, broadcastMessages } from './broadcast-calls.js';
import { LiveProxy } from './live-proxy.js';

@Controller('realtime/v1/api/broadcast')
export class RealtimeController {
  constructor(private readonly live: LiveProxy) {}

  /** A list of messages, as `send` of supabase-js sends one without a socket. */
  @Post()
  @Endpoint({ access: 'user', operation: broadcastMessages })
  messages(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    return this.live.forward(request, reply);
  }

  /** The content of one message, as `httpSend` of supabase-js sends it. */
  @Post(':topic/events/:event')
  @Endpoint({ access: 'user', operation: broadcastMessage })
  message(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    return this.live.forward(request, reply);
  }
}
