// The account of whoever is signed in.

import { Controller, Get, Put, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import { Database } from '../database.js';
import { Access } from '../http/access.js';
import { Responses } from '../http/responses.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { authAnswer } from './auth-answer.js';
import { fieldsOf } from './auth-body.js';
import { traceOf } from './auth-request.js';
import { ChangeUser } from './change-user.command.js';
import { refuse, userGone } from './errors.js';
import { Reauthenticate } from './reauthenticate.command.js';
import { refuseForms } from '../authentication/session-cookies.js';
import { userChangesOf } from './user-changes.js';
import { publicUser, userById } from './users.js';

@Controller('auth/v1')
export class UserController {
  constructor(
    private readonly commands: CommandBus,
    private readonly database: Database,
    private readonly responses: Responses,
  ) {}

  @Get('user')
  async user(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const { therapistId } = request.identity as Identity;
    const user = await this.database.transaction({ therapistId }, (client) => userById(client, therapistId));
    this.responses.send(request, reply, authAnswer(publicUser(user ?? refuse(userGone))));
  }

  @Put('user')
  @Access('session')
  async change(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const changes = userChangesOf(fieldsOf(request.body));
    const origin = { ...traceOf(request), address: request.ip };
    const command = new ChangeUser(request.identity as Identity, changes, origin);
    this.responses.send(request, reply, authAnswer(await this.commands.execute(command)));
  }

  @Get('reauthenticate')
  @Access('session')
  async reauthenticate(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    // It sends a mail, though it is a GET: a link of another site shall not.
    if (request.headers.authorization === undefined) refuseForms(request);
    await this.commands.execute(new Reauthenticate(request.identity as Identity));
    this.responses.send(request, reply, authAnswer({}));
  }
}
