// Sign-up, sign-in and sessions, as `supabase.auth` calls them.

import { Controller, Post, Req, Res } from '@nestjs/common';
import { Command, CommandBus } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import { Access } from '../http/access.js';
import { Responses } from '../http/responses.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { CountedByAddress } from '../limits/counted.js';
import { credentialsOf, fieldsOf, metadataOf, refreshTokenOf } from './auth-body.js';
import type { Fields } from './auth-body.js';
import { parameter, traceOf } from './auth-request.js';
import { badScope, noAnonymous, refuse, unknownGrant } from './errors.js';
import { codeExchangeOf } from './exchange-code.command.js';
import { OpenPractice } from './open-practice.command.js';
import { RefreshSession } from './refresh-session.command.js';
import { clearedCookies, refreshCookieOf, sessionAnswer } from '../authentication/session-cookies.js';
import { SessionIssue } from './session-issue.js';
import type { Granted } from './session-issue.js';
import type { SignOutScope } from './sessions.js';
import { SignIn } from './sign-in.command.js';
import { SignOut } from './sign-out.command.js';

@Controller('auth/v1')
export class AuthController {
  constructor(
    private readonly commands: CommandBus,
    private readonly responses: Responses,
    private readonly sessions: SessionIssue,
  ) {}

  @Post('signup')
  @Access('key')
  @CountedByAddress()
  async signUp(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const fields = fieldsOf(request.body);
    if (isAnonymous(fields)) refuse(noAnonymous);
    const command = new OpenPractice(credentialsOf(fields), metadataOf(fields), traceOf(request));
    const granted = await this.commands.execute(command);
    this.responses.send(request, reply, await sessionAnswer(request, granted, this.sessions));
  }

  @Post('token')
  @Access('key')
  @CountedByAddress()
  async token(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const granted = await this.commands.execute(grantCommand(request));
    this.responses.send(request, reply, await sessionAnswer(request, granted, this.sessions));
  }

  @Post('logout')
  @Access('session')
  async signOut(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const scope = parameter(request, 'scope') || 'global';
    if (!isScope(scope)) return refuse(badScope(scope));
    await this.commands.execute(new SignOut(request.identity as Identity, scope));
    this.responses.send(request, reply, { status: 204, ...clearedCookies(request) });
  }
}

/** Supabase's clients sign up so who does not say who it is. */
const isAnonymous = ({ email, phone, password }: Fields): boolean => !email && !phone && !password;

function grantCommand(request: HttpRequest): Command<Granted> {
  switch (parameter(request, 'grant_type')) {
    case 'password':
      return new SignIn(credentialsOf(fieldsOf(request.body)), request.ip);
    case 'refresh_token':
      return new RefreshSession(refreshTokenIn(request));
    case 'pkce':
      return codeExchangeOf(fieldsOf(request.body));
    default:
      return refuse(unknownGrant);
  }
}

/** From the cookie, or from the body. */
const refreshTokenIn = (request: HttpRequest): string =>
  refreshTokenOf({ refresh_token: refreshCookieOf(request) ?? fieldsOf(request.body)['refresh_token'] });

const isScope = (scope: string): scope is SignOutScope => ['global', 'local', 'others'].includes(scope);
