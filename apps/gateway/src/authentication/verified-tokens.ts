import type { Identity } from '@practice/core';

/** A verified token. */
export interface Verified {
  readonly identity: Identity;
  /** For a personal access token: its id and rights. */
  readonly personal?: { readonly id: string; readonly isReadOnly: boolean };
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const CAPACITY = 20_000;

/**
 * A cache of tokens whose signature, claims and session have been checked, until they expire or their session ends. Its key
 * is the whole `Authorization` header, so a cached token needs no parsing.
 */
export class VerifiedTokens {
  private readonly byHeader = new Map<string, Verified>();
  private isTrusting = false;
  private endings = 0;

  /** To be read before a check begins and passed to `remember`. */
  get asOf(): number {
    return this.endings;
  }

  /** The token's content, if it is cached and has not expired. */
  get(header: string, now: number): Verified | undefined {
    const known = this.byHeader.get(header);
    if (known === undefined) return undefined;
    if (known.expiresAt > now) return known;
    this.byHeader.delete(header);
    return undefined;
  }

  /**
   * @param asOf `asOf` from before the check; nothing is cached if a session has ended since, as it may be this one
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

  /** After a key was withdrawn or the state was lost. */
  forgetAll(): void {
    this.endings += 1;
    this.byHeader.clear();
  }

  /** Whether messages of ended sessions arrive. While they do not, nothing is cached. */
  trust(isReceiving: boolean): void {
    this.isTrusting = isReceiving;
    this.forgetAll();
  }
}
