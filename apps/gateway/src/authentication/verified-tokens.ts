import type { Identity } from '@practice/core';

/** What a token has been found to say. */
export interface Verified {
  readonly identity: Identity;
  /** For a personal access token: which one, and what it may do. */
  readonly personal?: { readonly id: string; readonly isReadOnly: boolean };
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const CAPACITY = 20_000;

/**
 * Tokens whose signature, claims and session have been checked, until they expire or their session ends. The key is the
 * whole `Authorization` header: it need not even be taken apart to recognise it.
 */
export class VerifiedTokens {
  private readonly byHeader = new Map<string, Verified>();
  private isTrusting = false;
  private endings = 0;

  /** Says until when what is being checked now may be remembered: see `remember`. */
  get asOf(): number {
    return this.endings;
  }

  /** What a token says, if it has been verified and is still good. */
  get(header: string, now: number): Verified | undefined {
    const known = this.byHeader.get(header);
    if (known === undefined) return undefined;
    if (known.expiresAt > now) return known;
    this.byHeader.delete(header);
    return undefined;
  }

  /**
   * @param checked what was found out, with `expiresAt` in milliseconds since the epoch
   * @param asOf `asOf` from before the session was looked up: had one ended meanwhile, it might have been this one
   */
  remember(header: string, checked: Verified, asOf: number): void {
    if (!this.isTrusting || asOf !== this.endings) return;
    if (this.byHeader.size >= CAPACITY) {
      const oldest = this.byHeader.keys().next();
      if (!oldest.done) this.byHeader.delete(oldest.value);
    }
    this.byHeader.set(header, checked);
  }

  /** @param id of a session, or of a personal token */
  forgetSession(id: string): void {
    this.endings += 1;
    for (const [header, { identity, personal }] of this.byHeader) {
      if (identity.sessionId === id || personal?.id === id) this.byHeader.delete(header);
    }
  }

  /** What was believed because of a key may not be any longer. */
  forgetAll(): void {
    this.endings += 1;
    this.byHeader.clear();
  }

  /** Whether the ends of sessions are heard of: while they are not, every token is checked anew. */
  trust(isHearing: boolean): void {
    this.isTrusting = isHearing;
    this.forgetAll();
  }
}
