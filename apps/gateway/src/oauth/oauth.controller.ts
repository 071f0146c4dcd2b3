// The pages of the OAuth server: sign in, the code of a device, consent. Each is a plain form without script. The pages
// only call the auth API, which decides.

import { Controller, Get, Post, Req } from '@nestjs/common';
import { Endpoint } from '../http/endpoint.js';
import { type HttpRequest, queryOf } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { AuthCalls } from '../accounts/auth-calls.js';
import { type Authorization, codeForm, consentForm, deviceForm, signInForm } from './forms.js';
import { afterSignIn, failed, FIRST_FAILURE, forged, formOf, onward, page, redirect } from './page.js';
import { Visitors } from './visitors.js';

const DAY_MS = 86_400_000;

@Controller('oauth')
export class OauthController {
  constructor(
    private readonly calls: AuthCalls,
    private readonly visitors: Visitors,
  ) {}

  @Get('consent')
  @Endpoint({ access: 'open', limitOfAddress: 'reads' })
  async consent(@Req() request: HttpRequest): Promise<HttpResponse> {
    return this.visitors.signedIn(request, async (verified) => {
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
  async answer(@Req() request: HttpRequest): Promise<HttpResponse> {
    if (this.visitors.isForged(request)) return forged;
    const given = formOf(request);
    return this.visitors.signedIn(request, async (verified) => {
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
  async device(@Req() request: HttpRequest): Promise<HttpResponse> {
    const query = new URLSearchParams(queryOf(request.raw.url ?? ''));
    if (query.has('done')) {
      const content = '<p>You can close this page and return to your device.</p>';
      return page({ title: 'Done', content });
    }
    return this.visitors.signedIn(request, () =>
      page({ title: 'Connect a device', content: deviceForm(query.get('user_code') ?? '') }),
    );
  }

  @Post('device')
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async openDevice(@Req() request: HttpRequest): Promise<HttpResponse> {
    if (this.visitors.isForged(request)) return forged;
    const body = { user_code: formOf(request).get('user_code') };
    return this.visitors.signedIn(request, async (verified) => {
      const opened = await this.calls.call(request, { route: 'openDevice', method: 'POST', verified, body });
      if (opened.status >= FIRST_FAILURE) return failed(opened);
      return redirect(`consent?authorization_id=${String(opened.json['authorization_id'])}`);
    });
  }

  @Post('sign-in')
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async signIn(@Req() request: HttpRequest): Promise<HttpResponse> {
    if (this.visitors.isForged(request)) return forged;
    const given = formOf(request);
    const body = { email: given.get('email'), password: given.get('password') };
    const query = 'grant_type=password';
    const session = await this.calls.call(request, { route: 'token', method: 'POST', query, body });
    return afterSignIn(session, given, signInForm);
  }

  @Post('code')
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async code(@Req() request: HttpRequest): Promise<HttpResponse> {
    if (this.visitors.isForged(request)) return forged;
    const given = formOf(request);
    const verified = await this.visitors.sessionOf(request);
    const session = await this.calls.passFactor(request, verified, given.get('code') ?? '');
    return afterSignIn(session, given, codeForm);
  }
}

/** The time after this number of days. For a text that is not a number, a text that the auth API refuses. */
function endAfter(days: string | null): string {
  const end = new Date(Date.now() + Number(days) * DAY_MS);
  return Number.isNaN(end.getTime()) ? String(end) : end.toISOString();
}
