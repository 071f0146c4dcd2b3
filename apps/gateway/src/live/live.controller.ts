// The calls that live processes answer. The gateway has authenticated and counted them; the live process authenticates them again,
// since it has to know when the token ends.

import { Controller, Get, Req, Res } from '@nestjs/common';
import { Endpoint } from '../http/endpoint.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { feedOperation } from './feed-call.js';
import { LiveProxy } from './live-proxy.js';

@Controller('events/v1')
export class FeedController {
  constructor(private readonly live: LiveProxy) {}

  /** With and without a trailing slash (Nest removes one slash from the end of a path). */
  @Get(['', '//'])
  @Endpoint({ access: 'user', isOpenEnded: true, operation: feedOperation })
  feed(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    return this.live.forward(request, reply);
  }
}
