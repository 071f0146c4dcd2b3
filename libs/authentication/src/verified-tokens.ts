import type { Identity } from '@practice/core';

/** A verified token. */
export interface Verified {
  /** Without the address, which each request has its own of. */
  readonly identity: Identity;
  /** The same with the break-glass access of the session. One object for all requests, as each is signed once. */
  readonly reader?: Identity;
  /** The token of another issuer: it reaches records, but no accounts. */
  readonly isForeign?: boolean;
  /** The token of an OAuth client for the assistant's endpoint, which is good for nothing else. */
  readonly isForAssistant?: boolean;
  /** The token of a session that still has to pass a second factor. */
  readonly needsSecondFactor?: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface Watcher {
  readonly identity: Identity;
  readonly onEnd: () => void;
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

  private readonly watchers = new Set<Watcher>();

  /** To be read before a check begins and passed to `remember`. */
  get generation(): number {
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
   * @param generation `generation` from before the check; nothing is cached if a session has ended since, as it may be this one
   */
  remember(header: string, checked: Verified, generation: number): void {
    if (!this.isTrusting || generation !== this.endings) return;
    if (this.byHeader.size >= CAPACITY) {
      const oldest = this.byHeader.keys().next();
      if (!oldest.done) this.byHeader.delete(oldest.value);
    }
    this.byHeader.set(header, checked);
  }

  /** @param id of a session, or of a personal token */
  forgetSession(id: string): void {
    this.forget(({ sessionId, tokenId }) => sessionId === id || tokenId === id);
  }

  /** After the role of a person in a practice has changed, or the person has left it. */
  forgetMember({ userId, therapistId }: Pick<Identity, 'userId' | 'therapistId'>): void {
    this.forget((identity) => identity.userId === userId && identity.therapistId === therapistId);
  }

  /** After a key was withdrawn. */
  forgetAll(): void {
    this.forget(() => true);
  }

  /** Whether messages of ended sessions arrive. While they do not, nothing is cached. */
  trust(isReceiving: boolean): void {
    this.isTrusting = isReceiving;
    this.endings += 1;
    this.byHeader.clear();
    // Ended sessions and changed members are loaded after an interruption; revoked personal tokens are not.
    if (isReceiving) this.end(({ tokenId }) => tokenId !== undefined);
  }

  /** Calls back once when the token is forgotten. @returns the way to stop watching */
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
    for (const watcher of this.watchers)
      if (isOver(watcher.identity) && this.watchers.delete(watcher)) watcher.onEnd();
  }
}
