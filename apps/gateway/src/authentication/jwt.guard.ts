// Authenticates the caller of every route, except routes that are open or need only the API key.

import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import {
  anonymous,
  Authentication,
  emptyToken,
  insufficientAal,
  sessionEnded,
} from '@practice/authentication';
import type { Verified } from '@practice/authentication';
import { Rejection, reject } from '@practice/core';
import type { Problem } from '@practice/core';
import { accessOf, isBeforeSecondFactor } from '../http/access.js';
import type { AccessLevel } from '../http/access.js';
import { isAuthCall } from '../http/request.js';
import type { HttpRequest } from '../http/request.js';
import { badJwt, foreignToken, missingSub, noBearer, sessionGone, sessionNeeded } from './auth-problems.js';

@Injectable()
export class JwtGuard implements CanActivate {
  constructor(private readonly authentication: Authentication) {}

  /** A token in the cache is accepted synchronously. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const handler = context.getHandler();
    const access = accessOf(handler);
    if (access === 'open' || access === 'key') return true;
    const request = context.getArgByIndex<HttpRequest>(0);
    const verified = this.authentication.verify(request);
    if (!(verified instanceof Promise)) return letIn(request, verified, handler);
    return verified.then(
      (checked) => letIn(request, checked, handler),
      (error: unknown) => this.refuse(request, error),
    );
  }

  private refuse(request: HttpRequest, error: unknown): never {
    if (!(error instanceof Rejection) || !isAuthCall(request.raw.url ?? '')) throw error;
    throw new Rejection(authProblemOf(error.problem, this.authentication.headerOf(request)));
  }
}

/**
 * A personal token manages no accounts; its scopes are checked once the request is parsed. A token of another issuer reaches no
 * account. A session that still has to pass a second factor reaches the calls for that only.
 */
function letIn(request: HttpRequest, verified: Verified, handler: object): boolean {
  const { identity } = verified;
  const access: AccessLevel = accessOf(handler);
  if (verified.isForeign === true && isAuthCall(request.raw.url ?? '')) reject(foreignToken);
  if (verified.needsSecondFactor === true && !isBeforeSecondFactor(handler)) reject(insufficientAal);
  if (identity.tokenId !== undefined && access === 'session') reject(sessionNeeded);
  request.identity = identity;
  request.reader = verified.reader ?? null;
  return true;
}

/** The same refusal with the auth API's codes and messages. */
function authProblemOf(problem: Problem, header: string): Problem {
  // The API key names no user; anything else that is not a bearer counts as no authorization.
  if (problem === anonymous) return /^bearer /i.test(header) ? missingSub : noBearer;
  if (problem === emptyToken) return noBearer;
  if (problem === sessionEnded) return sessionGone;
  return problem.status === 401 ? badJwt(problem.message) : problem;
}
