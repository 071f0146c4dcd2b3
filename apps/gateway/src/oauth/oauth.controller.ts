// The pages of the OAuth server: sign in, the code of a device, consent. Each is a plain form without script. The auth API decides;
// the pages only ask it.

import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { ACCESS_COOKIE, Authentication, cookieOf, type Verified } from '@practice/authentication';
import { Rejection } from '@practice/core';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { Endpoint } from '../http/endpoint.js';
import { type HttpReply, type HttpRequest, queryOf } from '../http/request.js';
import { type HttpResponse, Responses } from '../http/responses.js';
import { AuthCalls } from './auth-calls.js';
import { type Authorization, codeForm, consentForm, deviceForm, signInForm } from './forms.js';
import { afterSignIn, failed, forged, formOf, isForged, nextOf, onward, page, redirect } from './page.js';

const DAY_MS = 86_400_000;
const FIRST_FAILURE = 400;

@Controller('oauth')
export class OauthController {
  private readonly origin: string;

  constructor(
    private readonly calls: AuthCalls,
    private readonly authentication: Authentication,
    private readonly responses: Responses,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'baseUrl'>,
  ) {
    this.origin = new URL(config.baseUrl).origin;
  }

  @Get('consent')
  @Endpoint({ access: 'open', limitOfAddress: 'reads' })
  async consent(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    await this.signedIn(request, reply, async (verified) => {
      const id = new URLSearchParams(queryOf(request.raw.url ?? '')).get('authorization_id') ?? '';
      const asked = await this.calls.call(request, { route: 'authorization', method: 'GET', id, verified });
      if (asked.status >= FIRST_FAILURE) return failed(asked);
      const { redirect_url: answered } = asked.json;
      if (typeof answered === 'string') return onward(answered);
      const authorization = asked.json as unknown as Authorization;
      const target = authorization.redirect_uri;
      return page({ title: 'Give an app access?', content: consentForm(authorization), target });
    });
  }

  @Post('consent')
  @Endpoint({ access: 'open', limitOfAddress: 'writes' })
  async answer(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    if (isForged(request, this.origin)) return this.responses.send(request, reply, forged);
    const given = formOf(request);
    await this.signedIn(request, reply, async (verified) => {
      const body = {
        action: given.get('action'),
        scopes: given.getAll('scope'),
        therapist_id: given.get('therapist_id') ?? undefined,
        expires_at: endAfter(given.get('days')),
      };
      const id = given.get('authorization_id') ?? '';
      const asked = { route: 'answerAuthorization', method: 'POST', id, verified, body } as const;
      const answered = await this.calls.call(request, asked);
      if (answered.status >= FIRST_FAILURE) return failed(answered);
      return redirect(String(answered.json['redirect_url']));
    });
  }

  @Get('device')
  @Endpoint({ access: 'open', limitOfAddress: 'reads' })
  async device(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const query = new URLSearchParams(queryOf(request.raw.url ?? ''));
    if (query.has('done')) {
      const content = '<p>You can close this page and return to your device.</p>';
      return this.responses.send(request, reply, page({ title: 'Done', content }));
    }
    await this.signedIn(request, reply, () =>
      Promise.resolve(page({ title: 'Connect a device', content: deviceForm(query.get('user_code') ?? '') })),
    );
  }

  @Post('device')
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async openDevice(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    if (isForged(request, this.origin)) return this.responses.send(request, reply, forged);
    const body = { user_code: formOf(request).get('user_code') };
    await this.signedIn(request, reply, async (verified) => {
      const opened = await this.calls.call(request, { route: 'openDevice', method: 'POST', verified, body });
      if (opened.status >= FIRST_FAILURE) return failed(opened);
      return redirect(`consent?authorization_id=${String(opened.json['authorization_id'])}`);
    });
  }

  @Post('sign-in')
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async signIn(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    if (isForged(request, this.origin)) return this.responses.send(request, reply, forged);
    const given = formOf(request);
    const body = { email: given.get('email'), password: given.get('password') };
    const query = 'grant_type=password';
    const session = await this.calls.call(request, { route: 'token', method: 'POST', query, body });
    this.responses.send(request, reply, afterSignIn(session, given, signInForm));
  }

  @Post('code')
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async code(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    if (isForged(request, this.origin)) return this.responses.send(request, reply, forged);
    const given = formOf(request);
    const verified = await this.sessionOf(request);
    const session = await this.calls.passFactor(request, verified, given.get('code') ?? '');
    this.responses.send(request, reply, afterSignIn(session, given, codeForm));
  }

  /** Answers a person who is signed in; others sign in first. */
  private async signedIn(
    request: HttpRequest,
    reply: HttpReply,
    answer: (verified: Verified) => Promise<HttpResponse>,
  ): Promise<void> {
    const verified = await this.sessionOf(request);
    const next = nextOf(request);
    this.responses.send(
      request,
      reply,
      verified === undefined
        ? page({ title: 'Sign in', content: signInForm(next) })
        : verified.needsSecondFactor === true
          ? page({ title: 'Sign in', content: codeForm(next) })
          : await answer(verified),
    );
  }

  /** The session in the cookies. Forms of other sites have been refused before, so no key is needed. */
  private async sessionOf(request: HttpRequest): Promise<Verified | undefined> {
    const { cookie } = request.headers;
    if (cookieOf(request, ACCESS_COOKIE) === undefined || cookie === undefined) return undefined;
    try {
      return await this.authentication.verify({
        method: 'GET',
        headers: { cookie },
        ip: request.ip,
        id: request.id,
      });
    } catch (error) {
      if (error instanceof Rejection && error.problem.status < 500) return undefined;
      throw error;
    }
  }
}

/** The time in so many days; for a text that is no number of days, a text that the auth API refuses. */
function endAfter(days: string | null): string {
  const end = new Date(Date.now() + Number(days) * DAY_MS);
  return Number.isNaN(end.getTime()) ? String(end) : end.toISOString();
}
