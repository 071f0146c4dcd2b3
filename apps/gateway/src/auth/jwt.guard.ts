// Who is asking. Applies to every route, unless a route says that it needs nobody.

import { Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Rejection } from '@practice/core';
import type { Identity, Problem } from '@practice/core';
import { accessOf } from '../door/access.js';
import { isAuthCall } from '../door/request.js';
import type { DoorRequest } from '../door/request.js';
import { badJwt, missingSub, noBearer, sessionGone } from './errors.js';
import { anonymous, problemOf, sessionEnded } from './token-problems.js';
import { VerifiedTokens } from './verified-tokens.js';

@Injectable()
export class JwtGuard extends AuthGuard('jwt') {
  constructor(private readonly verified: VerifiedTokens) {
    super();
  }

  /** A token that was verified before needs no more than to be recognised; no promise is made for it. */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (accessOf(context.getHandler()) !== 'user') return true;
    const request = context.getArgByIndex<DoorRequest>(0);
    const identity = this.verified.get(request.headers.authorization ?? '', Date.now());
    if (identity === undefined) return this.verify(context, request);
    request.identity = identity;
    return true;
  }

  /** passport's verdict: the identity, or why there is none. */
  override handleRequest<User = Identity>(error: unknown, user: unknown, info: unknown): User {
    if (error) throw error instanceof Error ? error : new Error('no verdict', { cause: error });
    if (user) return user as User;
    throw info instanceof Rejection ? info : new Rejection(problemOf(info));
  }

  private async verify(context: ExecutionContext, request: DoorRequest): Promise<boolean> {
    try {
      await super.canActivate(context);
    } catch (error) {
      const isRefused = error instanceof Rejection && isAuthCall(request.raw.url ?? '');
      throw isRefused ? new Rejection(authProblemOf(error.problem, request)) : error;
    }
    request.identity = (request as unknown as { user: Identity }).user;
    return true;
  }
}

/** The same refusal as the clients of the auth API know it. */
function authProblemOf(problem: Problem, request: DoorRequest): Problem {
  if (problem === anonymous) return request.headers.authorization === undefined ? noBearer : missingSub;
  if (problem === sessionEnded) return sessionGone;
  return badJwt(problem.message);
}
