// The caller of a channel. Its token is valid until it expires or its session ends. A change of the role is reported.

import { setTimeout as pause } from 'node:timers/promises';
import type { Authentication, BearerRequest, Verified } from '@practice/authentication';
import { type Identity, type Problem, problemFor, reject, Rejection } from '@practice/core';

/** The origin of a socket, for throttling and logs. */
export type Origin = Pick<BearerRequest, 'ip' | 'id'>;

interface CallerEvents {
  /** Called when the token is no longer valid. */
  readonly ended: (problem: Problem) => void;
  /** Called when the role has changed. */
  readonly changed: (identity: Identity) => void;
  /** Called when the check failed because of a defect. */
  readonly failed: (error: unknown) => void;
}

/** Whether the caller may send to channels. A personal token may send if it may write everything. */
export const maySend = ({ scopes }: Identity): boolean => scopes === undefined || scopes.includes('*:write');

export const scopeMissing: Problem = problemFor('42501', { message: 'The token lacks the scope *:write' });

const RETRY_MS = 1_000;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const secondFactorMissing: Problem = problemFor('insufficient_aal', {
  message: 'AAL2 session is required to perform this action',
});
const tokenExpired: Problem = problemFor('PGRST303', { message: 'JWT expired' });

export class Caller {
  private timer: NodeJS.Timeout | undefined;
  private unwatch: (() => void) | undefined;
  private events: CallerEvents | undefined;

  private constructor(
    private readonly authentication: Authentication,
    private readonly origin: Origin,
    private readonly token: string,
    private verified: Verified,
  ) {}

  /**
   * Checks a token.
   * @throws {Rejection}
   */
  static async of(authentication: Authentication, origin: Origin, token: string): Promise<Caller> {
    return new Caller(authentication, origin, token, await verify(authentication, withToken(token, origin)));
  }

  /** The identity without break-glass access. Only REST requests have break-glass access, because the access log lists each of them. */
  get identity(): Identity {
    return this.verified.identity;
  }

  isFor(token: string): boolean {
    return this.token === token;
  }

  /** Watches the token until `stop`. */
  watch(events: CallerEvents): void {
    this.stop();
    this.events = events;
    this.unwatch = this.authentication.watch(this.verified, () => {
      this.checkAgain(events).catch((error: unknown) => events.failed(error));
    });
    const left = Math.min(MAX_TIMEOUT_MS, Math.max(0, this.verified.expiresAt - Date.now()));
    this.timer = setTimeout(() => events.ended(tokenExpired), left).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.unwatch?.();
    this.unwatch = undefined;
    this.events = undefined;
  }

  /** Checks the token until it succeeds or the token is refused: the bus or the identity service may be unavailable. */
  private async checkAgain(events: CallerEvents): Promise<void> {
    const before = this.identity;
    for (;;) {
      const outcome = await this.check();
      if (this.events !== events) return;
      if (outcome === undefined) break;
      if (outcome.status !== 503) return events.ended(outcome);
      await pause(RETRY_MS);
    }
    this.watch(events);
    if (before.practiceRole !== this.identity.practiceRole) events.changed(this.identity);
  }

  /** @returns the problem with the token, if there is one */
  private async check(): Promise<Problem | undefined> {
    try {
      this.verified = await verify(this.authentication, withToken(this.token, this.origin));
      return undefined;
    } catch (error) {
      return problemOf(error);
    }
  }
}

/**
 * Checks a token.
 * @throws {Rejection}
 */
export async function verify(authentication: Authentication, request: BearerRequest): Promise<Verified> {
  const verified = await authentication.verify(request);
  return verified.needsSecondFactor === true ? reject(secondFactorMissing) : verified;
}

const withToken = (token: string, { ip, id }: Origin): BearerRequest => ({
  ...{ method: 'GET', ip, id },
  headers: { authorization: `Bearer ${token}` },
});

/** The problem of a rejected check. Any other error is a defect, and is thrown again. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Rejection) return error.problem;
  throw error;
}

// Problems as reasons for the client, in the format of Supabase: a word for the kind of error, and a sentence.

const words: Readonly<Record<string, string>> = {
  PGRST301: 'MalformedJWT',
  PGRST302: 'Unauthorized',
  PGRST303: 'InvalidJWTToken',
  insufficient_aal: 'Unauthorized',
};

/** The reason of a refusal: `InvalidJWTToken: JWT expired`. */
export const reasonOf = ({ code, message }: Problem): string => `${words[code] ?? code}: ${message}`;

/** The reason of a channel that ends because its practice sends more than its share. */
export const tooManyBytes = 'Too many bytes per second';
