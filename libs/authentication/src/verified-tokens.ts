import type { Identity } from '@practice/core';

/** A verified token. */
export interface Verified {
  /** The identity without the address, which differs between requests. */
  readonly identity: Identity;
  /** The identity with the break-glass access of the session. All requests use the same object, so that it is signed only once. */
  readonly reader?: Identity;
  /** Whether another issuer issued the token. It then gives access to records, but not to accounts. */
  readonly isForeign?: boolean;
  /** Whether it is an OAuth client's token for the assistant's endpoint. It is then valid only there. */
  readonly isForAssistant?: boolean;
  /** Whether the session of the token still requires a second factor. */
  readonly needsSecondFactor?: boolean;
  /** When the token expires, in milliseconds since the epoch. */
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

  private readonly watchers = new Set<{ readonly identity: Identity; readonly onEnd: () => void }>();

  /** Read this before a check begins, and pass it to `remember`. */
  get generation(): number {
    return this.endings;
  }

  /** The verified token, if it is cached and has not expired. */
  get(header: string, now: number): Verified | undefined {
    const known = this.byHeader.get(header);
    if (known === undefined) return undefined;
    if (known.expiresAt > now) return known;
    this.byHeader.delete(header);
    return undefined;
  }

  /**
   * Caches a token. @param generation `generation` from before the check; nothing is cached if any session has ended since
   */
  remember(header: string, checked: Verified, generation: number): void {
    if (!this.isTrusting || generation !== this.endings) return;
    if (this.byHeader.size >= CAPACITY) {
      const oldest = this.byHeader.keys().next();
      if (!oldest.done) this.byHeader.delete(oldest.value);
    }
    this.byHeader.set(header, checked);
  }

  /** Forgets the tokens of a session, or a personal token. @param id the id of the session or of the personal token */
  forgetSession(id: string): void {
    this.forget(({ sessionId, tokenId }) => sessionId === id || tokenId === id);
  }

  /** Forgets the tokens of a member. Call it when the person's role in a practice has changed or the person has left. */
  forgetMember({ userId, therapistId }: Pick<Identity, 'userId' | 'therapistId'>): void {
    this.forget((identity) => identity.userId === userId && identity.therapistId === therapistId);
  }

  /** Forgets all tokens. Call it when a key was withdrawn. */
  forgetAll(): void {
    this.forget(() => true);
  }

  /** Sets whether messages about ended sessions arrive. While they do not arrive, nothing is cached. */
  trust(isReceiving: boolean): void {
    this.isTrusting = isReceiving;
    this.endings += 1;
    this.byHeader.clear();
    // After an interruption, ended sessions and changed members are loaded, but revoked personal tokens are not.
    if (isReceiving) this.end(({ tokenId }) => tokenId !== undefined);
  }

  /** Calls back once when the token is forgotten. @returns a function that stops watching */
  watch({ identity }: Verified, onEnd: () => void): () => void {
    const watcher = { identity, onEnd };
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  private forget(isOver: (identity: Identity) => boolean): void {
    this.endings += 1;
    for (const [header, { identity }] of this.byHeader) if (isOver(identity)) this.byHeader.delete(header);
    this.end(isOver);
  }

  private end(isOver: (identity: Identity) => boolean): void {
    // A copy, because a watcher may watch again when it is called.
    for (const watcher of [...this.watchers])
      if (isOver(watcher.identity) && this.watchers.delete(watcher)) watcher.onEnd();
  }
}
