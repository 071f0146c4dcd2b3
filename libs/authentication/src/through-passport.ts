// passport runs the strategy for access tokens: through Nest's guard for requests over HTTP, directly for the joins of sockets. A
// process without Nest loads nothing of Nest for it.

import { Rejection } from '@practice/core';
import passport from 'passport';
import type { BearerRequest } from './request.js';
import { problemOf } from './token-problems.js';
import type { Verified } from './verified-tokens.js';

/** The name of the strategy, as `AuthGuard` of `@nestjs/passport` takes it. */
export const ACCESS_TOKEN = 'jwt';

/**
 * The result of the strategy, as passport passes it on. `handleRequest` of a guard returns it.
 * @param error of `JwtStrategy.validate`
 * @param refusal by its key provider, which has our own problems, or by jsonwebtoken
 * @throws {Rejection} as `Authentication.verify`
 */
export function verifiedBy<User>(error: unknown, user: User | false, refusal: unknown): User {
  if (user) return user;
  if (error) throw error as Error;
  throw refusal instanceof Rejection ? refusal : new Rejection(problemOf(refusal));
}

/** Verifies the token of a request that is not one of Nest. passport adds members to a request, so it gets a copy. */
export const throughPassport = (request: BearerRequest): Promise<Verified> =>
  new Promise((resolve, reject) => {
    const end = (error: unknown, verified: Verified | false, refusal: unknown): void => {
      try {
        resolve(verifiedBy(error, verified, refusal));
      } catch (reason) {
        reject(reason as Error);
      }
    };
    const middleware = passport.authenticate(ACCESS_TOKEN, end) as (
      request: object,
      response: object,
      next: (error: Error) => void,
    ) => void;
    middleware({ ...request }, {}, reject);
  });
