import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { Access } from '../door/access.js';
import { Answers, JSON_TYPE } from '../door/answers.js';
import type { DoorReply, DoorRequest } from '../door/request.js';

const HEADERS = { 'Content-Type': JSON_TYPE };
const OK = '{"status":"ok"}';
const UNAVAILABLE = '{"status":"unavailable"}';

/** Tells whether what the gateway needs to do its work is there. */
export type Readiness = () => Promise<boolean>;

export const READINESS = Symbol('readiness');

/** `/livez`: the process runs. `/readyz`: so do the database and the bus, as seen from it. */
@Controller()
export class HealthController {
  constructor(
    @Inject(READINESS) private readonly isReady: Readiness,
    private readonly answers: Answers,
  ) {}

  @Get('livez')
  @Access('open')
  live(@Req() request: DoorRequest, @Res() reply: DoorReply): void {
    this.answers.send(request, reply, { status: 200, headers: HEADERS, body: OK, isRoutine: true });
  }

  @Get('readyz')
  @Access('open')
  async ready(@Req() request: DoorRequest, @Res() reply: DoorReply): Promise<void> {
    const isReady = await this.isReady().catch(() => false);
    const [status, body] = isReady ? [200, OK] : [503, UNAVAILABLE];
    this.answers.send(request, reply, { status, headers: HEADERS, body, isRoutine: isReady });
  }
}
