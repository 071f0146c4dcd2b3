// What clients may ask the auth API about itself.

import { Controller, Get, Req, Res } from '@nestjs/common';
import { Access } from '../http/access.js';
import { Responses } from '../http/responses.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { authAnswer } from './auth-answer.js';
import { SigningKeys } from './keys/signing-keys.js';

const SETTINGS = {
  external: { email: true, phone: false, anonymous_users: false },
  disable_signup: false,
  mailer_autoconfirm: true,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
};

/** Named as the clients' own tools look for it. */
const HEALTH = { version: 'v1', name: 'GoTrue', description: 'Accounts and sessions of the practice API' };

@Controller('auth/v1')
export class AuthInfoController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly responses: Responses,
  ) {}

  /** The public keys, for anyone who wants to verify a token without asking us. */
  @Get('.well-known/jwks.json')
  @Access('open')
  async publicKeys(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const keys = await this.keys.published();
    this.responses.send(request, reply, authAnswer({ keys }, { 'Cache-Control': 'public, max-age=600' }));
  }

  @Get('settings')
  @Access('key')
  settings(@Req() request: HttpRequest, @Res() reply: HttpReply): void {
    this.responses.send(request, reply, authAnswer(SETTINGS));
  }

  @Get('health')
  @Access('key')
  health(@Req() request: HttpRequest, @Res() reply: HttpReply): void {
    this.responses.send(request, reply, authAnswer(HEALTH));
  }
}
