import { Controller, Get, Req, Res } from '@nestjs/common';
import { acceptedType } from '../http/accepted.js';
import { Access } from '../http/access.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { JSON_TYPE, Responses } from '../http/responses.js';
import { HOME_HEADERS, HOME_JSON, HOME_PAGE } from './home-page.js';

/** `/`: a page for browsers, JSON for everyone else. */
@Controller()
export class HomeController {
  constructor(private readonly responses: Responses) {}

  @Get()
  @Access('open')
  home(@Req() request: HttpRequest, @Res() reply: HttpReply): void {
    const isPage = acceptedType(request.headers.accept, ['application/json', 'text/html']) === 'text/html';
    this.responses.send(request, reply, {
      status: 200,
      headers: isPage
        ? { ...HOME_HEADERS, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' }
        : { 'Content-Type': JSON_TYPE, Vary: 'Accept' },
      body: isPage ? HOME_PAGE : HOME_JSON,
    });
  }
}
