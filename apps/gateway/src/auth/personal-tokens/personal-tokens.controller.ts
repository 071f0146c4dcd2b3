// Tokens that a user makes for its scripts. Only its sessions manage them: a token makes no tokens.

import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { Identity } from '@practice/core';
import { DatabaseError } from 'pg';
import { Database } from '../../database.js';
import { Access } from '../../http/access.js';
import { Responses } from '../../http/responses.js';
import type { HttpReply, HttpRequest } from '../../http/request.js';
import { authAnswer } from '../auth-answer.js';
import { fieldsOf } from '../auth-body.js';
import { EndedSessions } from '../ended-sessions.js';
import { noSuchToken, refuse, tooManyTokens, userGone } from '../errors.js';
import { listTokens, makeToken, removeToken } from './stored-tokens.js';
import { tokenWishOf } from './token-wish.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

@Controller('auth/v1/tokens')
export class PersonalTokensController {
  constructor(
    private readonly database: Database,
    private readonly ended: EndedSessions,
    private readonly responses: Responses,
  ) {}

  @Get()
  @Access('session')
  async list(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const { therapistId } = request.identity as Identity;
    const tokens = await this.database.transaction({ therapistId }, (client) =>
      listTokens(client, therapistId),
    );
    this.responses.send(request, reply, authAnswer(tokens));
  }

  @Post()
  @Access('session')
  async make(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const { therapistId } = request.identity as Identity;
    const wish = tokenWishOf(fieldsOf(request.body), Date.now());
    const made = await this.database
      .transaction({ therapistId }, (client) => makeToken(client, therapistId, wish))
      .catch(refuseStranger);
    this.responses.send(request, reply, { ...authAnswer(made ?? refuse(tooManyTokens)), status: 201 });
  }

  @Delete(':id')
  @Access('session')
  async revoke(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const { therapistId } = request.identity as Identity;
    const { id } = request.params as { id: string };
    if (!UUID.test(id)) refuse(noSuchToken);
    await this.database.transaction({ therapistId }, async (client) => {
      if (!(await removeToken(client, therapistId, id))) refuse(noSuchToken);
      await this.ended.announce(client, [id.toLowerCase()]);
    });
    this.ended.forget([id.toLowerCase()]);
    this.responses.send(request, reply, { status: 204 });
  }
}

/** Who was signed in by another issuer has no account here to which a token could belong. */
function refuseStranger(error: unknown): never {
  if (error instanceof DatabaseError && error.code === '23503') refuse(userGone);
  throw error;
}
