// The pages of the OAuth server: sign in, the code of a device, consent. The pages only call the auth API, which decides. Each is a
// plain form without script, except for the one for passkeys: browsers show passkeys to scripts only.

import { Controller, Get, Inject, Post, Req } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { Endpoint } from '../http/endpoint.js';
import { type HttpRequest, queryOf } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { AuthCalls } from '../accounts/auth-calls.js';
import { escaped, pageFile } from '../openapi/pages.js';
import { type Authorization, codeForm, consentForm, deviceForm } from './forms.js';
import { passkeyForm, passkeyLink, signInForm } from './forms.js';
import {
  afterSignIn,
  failed,
  FIRST_FAILURE,
  forged,
  formOf,
  onward,
  page,
  redirect,
  safeNext,
} from './page.js';
import { Visitors } from './visitors.js';

const DAY_MS = 86_400_000;
const passkeyScript = pageFile('passkey.js');

@Controller('oauth')
export class OauthController {
  constructor(
    private readonly calls: AuthCalls,
    private readonly visitors: Visitors,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'baseUrl'>,
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

  @Get('passkey')
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async askForPasskey(@Req() request: HttpRequest): Promise<HttpResponse> {
    const next = safeNext(new URLSearchParams(queryOf(request.raw.url ?? '')).get('next'));
    const call = { route: 'passkeySignInOptions', method: 'POST', body: {} } as const;
    const opened = await this.calls.call(request, call);
    return opened.status >= FIRST_FAILURE ? failed(opened) : this.passkeyPage(next, opened.json);
  }

  @Post('passkey')
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async signInWithPasskey(@Req() request: HttpRequest): Promise<HttpResponse> {
    if (this.visitors.isForged(request)) return forged;
    const given = formOf(request);
    const body = { challenge_id: given.get('challenge_id'), credential: objectOf(given.get('credential')) };
    const session = await this.calls.call(request, { route: 'signInWithPasskey', method: 'POST', body });
    return afterSignIn(session, given, passkeyLink);
  }

  /** The page for a challenge. Browsers use a passkey only on the host that it was made for, and on its subdomains. */
  private passkeyPage(next: string, json: Readonly<Record<string, unknown>>): HttpResponse {
    const { challenge_id: id, options } = json as { challenge_id: string; options: { rpId?: string } };
    const host = options.rpId ?? '';
    const { hostname } = new URL(this.config.baseUrl);
    const title = 'Sign in with a passkey';
    if (hostname !== host && !hostname.endsWith(`.${host}`)) {
      const content = `<p>Your passkey works at <strong>${escaped(host)}</strong> only. Sign in there to give access in your app, or use your password and an authenticator app here.</p>`;
      return page({ title, content });
    }
    return page({ title, content: passkeyForm({ next, id, options }), script: passkeyScript });
  }
}

function objectOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** The time after this number of days. For a text that is not a number, a text that the auth API refuses. */
function endAfter(days: string | null): string {
  const end = new Date(Date.now() + Number(days) * DAY_MS);
  return Number.isNaN(end.getTime()) ? String(end) : end.toISOString();
}
