// The page that signs in with a passkey. It is the only one of these pages with a script: browsers show passkeys to scripts only.

import { Controller, Get, Inject, Post, Req } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { Endpoint } from '../http/endpoint.js';
import { type HttpRequest, queryOf } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { escaped, pageFile } from '../openapi/pages.js';
import { AuthCalls } from '../accounts/auth-calls.js';
import { passkeyForm, passkeyLink } from './forms.js';
import { afterSignIn, failed, FIRST_FAILURE, forged, formOf, page, safeNext } from './page.js';
import { Visitors } from './visitors.js';

const script = pageFile('passkey.js');

@Controller('oauth/passkey')
export class PasskeyController {
  private readonly hostname: string;

  constructor(
    private readonly calls: AuthCalls,
    private readonly visitors: Visitors,
    @Inject(GATEWAY_CONFIG) { baseUrl }: Pick<GatewayConfig, 'baseUrl'>,
  ) {
    this.hostname = new URL(baseUrl).hostname;
  }

  @Get()
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async ask(@Req() request: HttpRequest): Promise<HttpResponse> {
    const next = safeNext(new URLSearchParams(queryOf(request.raw.url ?? '')).get('next'));
    const call = { route: 'passkeySignInOptions', method: 'POST', body: {} } as const;
    const opened = await this.calls.call(request, call);
    return opened.status >= FIRST_FAILURE ? failed(opened) : this.pageFor(next, opened.json);
  }

  @Post()
  @Endpoint({ access: 'open', limitOfAddress: 'auth' })
  async signIn(@Req() request: HttpRequest): Promise<HttpResponse> {
    if (this.visitors.isForged(request)) return forged;
    const given = formOf(request);
    const body = { challenge_id: given.get('challenge_id'), credential: objectOf(given.get('credential')) };
    const session = await this.calls.call(request, { route: 'signInWithPasskey', method: 'POST', body });
    return afterSignIn(session, given, passkeyLink);
  }

  /** The page for a challenge. Browsers use a passkey only on the host that it was made for, and on its subdomains. */
  private pageFor(next: string, json: Readonly<Record<string, unknown>>): HttpResponse {
    const { challenge_id: id, options } = json as { challenge_id: string; options: { rpId?: string } };
    const host = options.rpId ?? '';
    const { hostname } = this;
    const title = 'Sign in with a passkey';
    if (hostname !== host && !hostname.endsWith(`.${host}`)) {
      const content = `<p>Your passkey works at <strong>${escaped(host)}</strong> only. Sign in there to give access in your app, or use your password and an authenticator app here.</p>`;
      return page({ title, content });
    }
    return page({ title, content: passkeyForm({ next, id, options }), script });
  }
}

function objectOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
