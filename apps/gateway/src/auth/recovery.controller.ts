// A way back for who forgot the password: by mail.

import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Rejection } from '@practice/core';
import { Access } from '../http/access.js';
import { Responses } from '../http/responses.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { CountedByAddress } from '../limits/counted.js';
import { authAnswer } from './auth-answer.js';
import { emailOf, fieldsOf } from './auth-body.js';
import { parameter } from './auth-request.js';
import { linkExpired, missingRecoveryEmail, missingToken, refuse } from './errors.js';
import { challengeOf } from './mail/code-challenge.js';
import { SiteLinks } from './mail/site-links.js';
import { RequestRecovery } from './request-recovery.command.js';
import { sessionAnswer } from '../authentication/session-cookies.js';
import { SessionIssue } from './session-issue.js';
import type { Granted } from './session-issue.js';
import { UseRecovery } from './use-recovery.command.js';
import { recoveryTokenOf } from './verification.js';

@Controller('auth/v1')
export class RecoveryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly responses: Responses,
    private readonly links: SiteLinks,
    private readonly sessions: SessionIssue,
  ) {}

  @Post('recover')
  @Access('key')
  @CountedByAddress()
  async recover(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const fields = fieldsOf(request.body);
    const email = emailOf(fields['email']) ?? refuse(missingRecoveryEmail);
    const redirectTo = parameter(request, 'redirect_to');
    await this.commands.execute(new RequestRecovery(email, redirectTo, challengeOf(fields)));
    this.responses.send(request, reply, authAnswer({}));
  }

  @Post('verify')
  @Access('open')
  @CountedByAddress()
  async verify(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const command = new UseRecovery(recoveryTokenOf(fieldsOf(request.body)), false);
    const granted = (await this.commands.execute(command)) as Granted;
    this.responses.send(request, reply, await sessionAnswer(request, granted, this.sessions));
  }

  /** The link of a mail: signs in, and forwards to the app with the session behind `#`, where only the browser sees it. */
  @Get('verify')
  @Access('open')
  @CountedByAddress()
  async followLink(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const token = parameter(request, 'token') || refuse(missingToken);
    // What only looks where a link leads, such as a scanner of mails, shall not use it up.
    const wished = parameter(request, 'redirect_to');
    const location =
      request.method === 'HEAD' ? this.links.allowed(wished) : await this.leadOn(request, token, wished);
    this.responses.send(request, reply, { status: 303, headers: { Location: location } });
  }

  private async leadOn(request: HttpRequest, token: string, wished: string | null): Promise<string> {
    try {
      if (parameter(request, 'type') !== 'recovery') refuse(linkExpired);
      const led = await this.commands.execute(new UseRecovery(token, true));
      if ('code' in led) return this.links.withCode(wished, led.code);
      const session = await this.sessions.issue(led);
      return this.links.withFragment(wished, {
        access_token: session.access_token,
        expires_at: String(session.expires_at),
        expires_in: String(session.expires_in),
        refresh_token: session.refresh_token,
        token_type: session.token_type,
        type: 'recovery',
      });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { code, message } = error.problem;
      const fields = { error: 'access_denied', error_code: code, error_description: message };
      return this.links.withFragment(wished, fields);
    }
  }
}
