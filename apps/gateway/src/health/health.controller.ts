import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { Access } from '../http/access.js';
import { Responses, JSON_TYPE } from '../http/responses.js';
import type { HttpReply, HttpRequest } from '../http/request.js';

const HEADERS = { 'Content-Type': JSON_TYPE };
const OK = '{"status":"ok"}';
const UNAVAILABLE = '{"status":"unavailable"}';

/** Reports whether everything that the gateway needs is available. */
export type Readiness = () => Promise<boolean>;

export const READINESS = Symbol('readiness');

/** `/livez`: the process runs. `/readyz`: so do the database and the bus, as seen from it. */
@Controller()
export class HealthController {
  constructor(
    @Inject(READINESS) private readonly isReady: Readiness,
    private readonly responses: Responses,
  ) {}

  @Get('livez')
  @Access('open')
  live(@Req() request: HttpRequest, @Res() reply: HttpReply): void {
    this.responses.send(request, reply, { status: 200, headers: HEADERS, body: OK, isRoutine: true });
  }

  @Get('readyz')
  @Access('open')
  async ready(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const isReady = await this.isReady().catch(() => false);
    const [status, body] = isReady ? [200, OK] : [503, UNAVAILABLE];
    this.responses.send(request, reply, { status, headers: HEADERS, body, isRoutine: isReady });
  }
}
