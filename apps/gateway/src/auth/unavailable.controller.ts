// What Supabase's clients can ask for and is not offered here: refused in the words and codes that they know.

import { All, Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { Access } from '../http/access.js';
import { Responses } from '../http/responses.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { CountedByAddress } from '../limits/counted.js';
import { authAnswer } from './auth-answer.js';
import { emailOf, fieldsOf } from './auth-body.js';
import {
  factorsDisabled,
  linkingDisabled,
  missingOtpAddress,
  missingResendAddress,
  missingResendType,
  noPhone,
  otpDisabled,
  passkeysDisabled,
  refuse,
  ssoDisabled,
  unknownProvider,
} from './errors.js';

/** Mails of which there is none to be sent again: every address counts as confirmed, and is changed at once. */
const RESENT = new Set(['signup', 'email_change']);

@Controller('auth/v1')
export class UnavailableController {
  constructor(private readonly responses: Responses) {}

  @Post(['otp', 'magiclink'])
  @Access('key')
  @CountedByAddress()
  signInByMail(@Req() { body }: HttpRequest): void {
    const { email, phone } = fieldsOf(body);
    if (isText(phone)) refuse(noPhone);
    emailOf(email) ?? refuse(missingOtpAddress);
    refuse(otpDisabled);
  }

  @Post('resend')
  @Access('key')
  @CountedByAddress()
  resend(@Req() request: HttpRequest, @Res() reply: HttpReply): void {
    const { type, email, phone } = fieldsOf(request.body);
    if (type === 'sms' || type === 'phone_change' || isText(phone)) refuse(noPhone);
    if (!isText(type) || !RESENT.has(type)) refuse(missingResendType);
    emailOf(email) ?? refuse(missingResendAddress);
    this.responses.send(request, reply, authAnswer({}));
  }

  /** Browsers come here themselves, without any key. */
  @Get('authorize')
  @Access('open')
  signInByProvider(): void {
    refuse(unknownProvider);
  }

  @Post('sso')
  @Access('key')
  signInBySso(): void {
    refuse(ssoDisabled);
  }

  @Get('user/identities/authorize')
  @Access('session')
  linkIdentity(): void {
    refuse(linkingDisabled);
  }

  @Delete('user/identities/:id')
  @Access('session')
  unlinkIdentity(): void {
    refuse(linkingDisabled);
  }

  @All(['factors', 'factors/*'])
  @Access('session')
  factors(): void {
    refuse(factorsDisabled);
  }

  @All(['passkeys', 'passkeys/*'])
  @Access('key')
  passkeys(): void {
    refuse(passkeysDisabled);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
