// The visitors of the gateway's pages: each page is a plain form without script, for a person who is signed in.

import { Inject, Injectable } from '@nestjs/common';
import { ACCESS_COOKIE, Authentication, cookieOf, type Verified } from '@practice/authentication';
import { Rejection } from '@practice/core';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import type { HttpRequest } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { codeForm, signInForm } from './forms.js';
import { nextOf, page } from './page.js';

@Injectable()
export class Visitors {
  private readonly origin: string;

  constructor(
    private readonly authentication: Authentication,
    @Inject(GATEWAY_CONFIG) { baseUrl }: Pick<GatewayConfig, 'baseUrl'>,
  ) {
    this.origin = new URL(baseUrl).origin;
  }

  /** The response for a person who is signed in, or a sign-in form for other visitors. */
  async signedIn(
    request: HttpRequest,
    answer: (verified: Verified) => Promise<HttpResponse> | HttpResponse,
  ): Promise<HttpResponse> {
    const verified = await this.sessionOf(request);
    if (verified === undefined) return page({ title: 'Sign in', content: signInForm(nextOf(request)) });
    return verified.needsSecondFactor === true ? secondFactor(request) : answer(verified);
  }

  /**
   * The session in the cookies. Another token does not count: a script or an app that has one is not the person. Forms of other sites
   * have been refused before, so no key is needed.
   */
  async sessionOf(request: HttpRequest): Promise<Verified | undefined> {
    if (cookieOf(request, ACCESS_COOKIE) === undefined) return undefined;
    const { id, ip } = request;
    const { cookie } = request.headers;
    try {
      const verified = await this.authentication.verify({ method: 'GET', headers: { cookie }, id, ip });
      return verified.identity.sessionId === undefined ? undefined : verified;
    } catch (error) {
      if (error instanceof Rejection && error.problem.status < 500) return undefined;
      throw error;
    }
  }

  /** Whether a form may come from another site. Browsers send the origin with every form. */
  isForged({ headers }: HttpRequest): boolean {
    return headers.origin !== this.origin;
  }
}

/** The form that asks a person who is signed in for a second factor. */
export const secondFactor = (request: HttpRequest): HttpResponse =>
  page({ title: 'Sign in', content: codeForm(nextOf(request)) });
