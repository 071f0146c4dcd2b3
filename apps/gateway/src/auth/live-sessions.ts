import { reject } from '@practice/core';
import type { Identity } from '@practice/core';
import type { Database } from '../database.js';
import { openSessionById } from './sessions.js';
import { sessionEnded } from '../authentication/token-problems.js';
import type { Verified, VerifiedTokens } from '../authentication/verified-tokens.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Lets verified tokens in, as long as their session goes on, and remembers them. */
export class LiveSessions {
  constructor(
    private readonly database: Database,
    private readonly verified: VerifiedTokens,
  ) {}

  /**
   * A token that we signed is good for as long as its session.
   * @param header the whole `Authorization` header that it came in
   * @throws {Rejection} when the session has ended
   */
  async admit(header: string, checked: Verified): Promise<void> {
    const { asOf } = this.verified;
    if (!(await this.isOpen(checked.identity))) reject(sessionEnded);
    this.verified.remember(header, checked, asOf);
  }

  /** Another issuer's sessions are its own affair: a token of it is good until it expires. */
  admitForeign(header: string, checked: Verified): void {
    this.verified.remember(header, checked, this.verified.asOf);
  }

  private async isOpen({ therapistId, sessionId = '' }: Identity): Promise<boolean> {
    if (!UUID.test(sessionId)) return false;
    const session = await this.database.transaction({ therapistId }, (client) =>
      openSessionById(client, therapistId, sessionId),
    );
    return session !== undefined;
  }
}
