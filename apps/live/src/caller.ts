// The caller of an open connection. The connection lasts as long as the token of the caller.

import { setTimeout as pause } from 'node:timers/promises';
import { expired, insufficientAal } from '@practice/authentication';
import type { Authentication, BearerRequest, Verified } from '@practice/authentication';
import { type Identity, type Problem, reject, Rejection } from '@practice/core';

interface CallerEvents {
  /** Called when the token is no longer valid. */
  readonly ended: (problem: Problem) => void;
  /** Called when the role has changed. */
  readonly changed: (identity: Identity) => void;
  /** Called when the check failed because of a defect. */
  readonly failed: (error: unknown) => void;
}

const RETRY_MS = 1_000;
/** The longest delay of a timer: about 24 days. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export class Caller {
  /** Aborted when the token is no longer watched. */
  private watching = new AbortController();

  private constructor(
    private readonly authentication: Authentication,
    private readonly request: BearerRequest,
    private verified: Verified,
  ) {}

  /**
   * Checks the token of a request.
   * @throws {Rejection}
   */
  static async of(authentication: Authentication, request: BearerRequest): Promise<Caller> {
    return new Caller(authentication, request, await verify(authentication, request));
  }

  /**
   * Checks the token of a request, again and again while the check cannot be made.
   * @param isAwaited whether the result is still needed
   */
  static async whenChecked(
    authentication: Authentication,
    request: BearerRequest,
    isAwaited: () => boolean,
  ): Promise<Caller | Problem> {
    for (;;) {
      const found = await Caller.of(authentication, request).catch(problemOf);
      if (found instanceof Caller || !mayPass(found) || !isAwaited()) return found;
      await pause(RETRY_MS, undefined, { ref: false });
    }
  }

  /** The identity without break-glass access. Only REST requests have break-glass access, because the access log lists each of them. */
  get identity(): Identity {
    return this.verified.identity;
  }

  /** Whether the caller has the token of a request. */
  isOf({ headers }: BearerRequest): boolean {
    return this.request.headers.authorization === headers.authorization;
  }

  /** Watches the token until `stop`. It is checked again at once, because it may have ended since the last check. */
  watch(events: CallerEvents): void {
    this.stop();
    this.watching = new AbortController();
    const { signal } = this.watching;
    signal.addEventListener(
      'abort',
      this.authentication.watch(this.verified, () => this.watch(events)),
    );
    this.check(events, signal).catch((error: unknown) => signal.aborted || events.failed(error));
  }

  stop(): void {
    this.watching.abort();
  }

  /**
   * Checks the token until it has ended: now, and at the end of each check. A check holds until the token expires, and for personal
   * access tokens a few minutes. While the check cannot be made, the last one holds to its end.
   */
  private async check(events: CallerEvents, signal: AbortSignal): Promise<void> {
    for (;;) {
      const found = await verify(this.authentication, this.request).catch(problemOf);
      if (signal.aborted) return;
      if ('identity' in found) this.accept(found, events);
      else if (!mayPass(found)) return events.ended(found);
      else if (Date.now() >= this.verified.expiresAt) return events.ended(this.atEnd(found));
      await pause('identity' in found ? leftOf(found) : RETRY_MS, undefined, { signal, ref: false });
    }
  }

  /** The reason of the end of a check that could not be repeated: only the check of an access token lasts as long as the token. */
  private atEnd(found: Problem): Problem {
    return this.identity.tokenId === undefined ? expired : found;
  }

  private accept(verified: Verified, { changed }: CallerEvents): void {
    const { practiceRole } = this.identity;
    this.verified = verified;
    if (verified.identity.practiceRole !== practiceRole) changed(verified.identity);
  }
}

/** Whether a later check may succeed: identity is unavailable, or others at the address have presented too many unknown tokens. */
const mayPass = ({ status }: Problem): boolean => status === 503 || status === 429;

/** The time until the next check. A token whose expiry has a fraction of a second may be valid a little longer. */
function leftOf({ expiresAt }: Verified): number {
  const left = expiresAt - Date.now();
  return left > 0 ? Math.min(left, MAX_TIMEOUT_MS) : RETRY_MS;
}

/**
 * Checks the token of a request.
 * @throws {Rejection}
 */
export async function verify(authentication: Authentication, request: BearerRequest): Promise<Verified> {
  const verified = await authentication.verify(request);
  return verified.needsSecondFactor === true ? reject(insufficientAal) : verified;
}

/** The problem of a rejected check. Any other error is a defect, and is thrown again. */
function problemOf(error: unknown): Problem {
  if (error instanceof Rejection) return error.problem;
  throw error;
}
