// Authenticates the caller of every route, except routes that are open or need only the API key.

import { Inject, Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Rejection, reject } from '@practice/core';
import type { Identity, Problem } from '@practice/core';
import { isRead } from '@practice/query';
import { accessOf } from '../http/access.js';
import type { AccessLevel } from '../http/access.js';
import { isAuthCall } from '../http/request.js';
import type { HttpRequest } from '../http/request.js';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import type { GatewayConfig } from '../gateway.config.js';
import { authorizationOf, bearerOf } from './bearer.js';
import { badJwt, missingSub, noBearer, sessionGone, sessionNeeded } from './auth-problems.js';
import { isPersonal, PersonalBearer } from './personal-bearer.js';
import { requireKeyHeader } from './session-cookies.js';
import { anonymous, emptyToken, problemOf, readOnlyToken, sessionEnded } from './token-problems.js';
import { VerifiedTokens } from './verified-tokens.js';
import type { Verified } from './verified-tokens.js';

@Injectable()
export class JwtGuard extends AuthGuard('jwt') {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly verified: VerifiedTokens,
    private readonly personal: PersonalBearer,
  ) {
    super();
  }

  /** A token in the cache is accepted synchronously. */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = accessOf(context.getHandler());
    if (access === 'open' || access === 'key') return true;
    const request = context.getArgByIndex<HttpRequest>(0);
    const header = authorizationOf(request, this.config.anonKey) ?? '';
    if (header !== (request.headers.authorization ?? '')) requireKeyHeader(request);
    const known = this.verified.get(header, Date.now());
    if (known !== undefined) return letIn(request, known, access);
    return this.verify(context, header).then((checked) => letIn(request, checked, access));
  }

  /** passport's result: the identity, or the reason for the refusal. */
  override handleRequest<User = Identity>(error: unknown, user: unknown, info: unknown): User {
    if (error) throw error instanceof Error ? error : new Error('no verdict', { cause: error });
    if (user) return user as User;
    throw info instanceof Rejection ? info : new Rejection(problemOf(info));
  }

  private async verify(context: ExecutionContext, header: string): Promise<Pick<Verified, Checked>> {
    const request = context.getArgByIndex<HttpRequest>(0);
    try {
      const token = bearerOf(header === '' ? undefined : header, this.config.anonKey);
      if (isPersonal(token)) {
        const presented = { header, token, address: request.ip, requestId: request.id };
        return await this.personal.admit(presented);
      }
      await super.canActivate(context);
    } catch (error) {
      const isRefused = error instanceof Rejection && isAuthCall(request.raw.url ?? '');
      throw isRefused ? new Rejection(authProblemOf(error.problem, header)) : error;
    }
    return { identity: (request as unknown as { user: Identity }).user };
  }
}

type Checked = 'identity' | 'personal';

/** A personal token may do less than a session, and a read-only one may only read. */
function letIn(
  request: HttpRequest,
  { identity, personal }: Pick<Verified, Checked>,
  access: AccessLevel,
): boolean {
  if (personal !== undefined) {
    if (access === 'session') reject(sessionNeeded);
    if (personal.isReadOnly && !isRead(request.method)) reject(readOnlyToken);
  }
  request.identity = identity;
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
