import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { INVITATION_HEADERS, invitationPage } from '../accounts/invitation-page.js';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import type { GatewayConfig } from '../gateway.config.js';
import { acceptedType } from '../http/accepted.js';
import { Endpoint } from '../http/endpoint.js';
import { queryOf } from '../http/request.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { JSON_TYPE, Responses } from '../http/responses.js';
import { HOME_HEADERS, HOME_JSON, HOME_PAGE } from './home-page.js';

/** `/`: a page for browsers, JSON for everyone else. With an invitation, the page accepts it. */
@Controller()
export class HomeController {
  constructor(
    private readonly responses: Responses,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'anonKey'>,
  ) {}

  @Get()
  @Endpoint({ access: 'open' })
  home(@Req() request: HttpRequest, @Res() reply: HttpReply): void {
    const isPage = acceptedType(request.headers.accept, ['application/json', 'text/html']) === 'text/html';
    const isInvitation = isPage && new URLSearchParams(queryOf(request.raw.url ?? '')).has('invitation');
    const page = isInvitation
      ? { headers: INVITATION_HEADERS, body: invitationPage(this.config.anonKey) }
      : { headers: HOME_HEADERS, body: HOME_PAGE };
    this.responses.send(request, reply, {
      status: 200,
      headers: isPage
        ? { ...page.headers, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' }
        : { 'Content-Type': JSON_TYPE, Vary: 'Accept' },
      body: isPage ? page.body : HOME_JSON,
    });
  }
}
