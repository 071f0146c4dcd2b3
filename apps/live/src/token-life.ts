// How long an open connection may go on: as long as its token.

import type { Authentication, BearerRequest, Verified } from '@practice/authentication';

export interface TokenLife {
  readonly authentication: Authentication;
  /** The request that opened the connection. */
  readonly request: BearerRequest;
  readonly verified: Verified;
  /** Called once when the token is no longer good, or the role of its user has changed. */
  readonly onEnd: () => void;
}

/** The longest delay of a timer is about 24 days. */
const MOST_MS = 2 ** 31 - 1;

/**
 * Watches a token. At the end of the time for which it was verified, it is verified again: personal access tokens are verified for a
 * few minutes at a time.
 * @returns the way to stop watching
 */
export function watchToken({ authentication, request, verified, onEnd }: TokenLife): () => void {
  let isOver = false;
  let stopWatching: () => void;
  let timer: NodeJS.Timeout;
  const stop = (): void => {
    isOver = true;
    clearTimeout(timer);
    stopWatching();
  };
  const end = (): void => {
    if (isOver) return;
    stop();
    onEnd();
  };
  const verifyAgain = async (): Promise<void> => {
    const again = await authentication.verify(request);
    if (isOver) return;
    if (again.identity.practiceRole !== verified.identity.practiceRole) return end();
    stopWatching();
    watch(again);
  };
  const watch = (current: Verified): void => {
    stopWatching = authentication.watch(current, end);
    const delay = Math.min(Math.max(0, current.expiresAt - Date.now()), MOST_MS);
    timer = setTimeout(() => void verifyAgain().catch(end), delay).unref();
  };
  watch(verified);
  return stop;
}
