// Challenges of passkeys are rows, so that one process can check the answer to a challenge of another process.

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { problems, refuse } from '../calls/problems.js';
import { deleting, inserting, rowsOf, UNTIL } from '../store/database.js';
import { PasskeyChallenge } from '../store/passkey.entities.js';
import { Transactions } from '../store/transactions.js';

export const CHALLENGE_SECONDS = 300;

@Injectable()
export class PasskeyChallenges {
  constructor(private readonly transactions: Transactions) {}

  /**
   * @param userId the user who registers a passkey; undefined for a sign-in
   * @returns the reply that opens the challenge; `expires_at` is in seconds since the epoch
   */
  async open<Options extends { challenge: string }>(options: Options, userId?: string) {
    const id = randomUUID();
    const { challenge } = options;
    const expiresAt = (): string => `now() + interval '${CHALLENGE_SECONDS} seconds'`;
    const row = { id, userId: userId ?? null, challenge, expiresAt };
    const rows = await this.transactions.run(scopeOf(id, userId), (tables) =>
      rowsOf<{ until: number }>(inserting(tables, PasskeyChallenge, row).returning(UNTIL)),
    );
    return { challenge_id: id, options, expires_at: rows[0]?.until ?? 0 };
  }

  /**
   * Uses a challenge up, whether its answer is right or wrong.
   * @throws {Rejection} when it is unknown, was used, is for another user or purpose, or has expired
   */
  async use(id: string, userId?: string): Promise<string> {
    const [used] = await this.transactions.run(scopeOf(id, userId), (tables) =>
      rowsOf<{ challenge: string; isOpen: boolean }>(
        deleting(tables, PasskeyChallenge, { id, userId: userId ?? IsNull() }).returning(
          'challenge, expires_at > now() AS "isOpen"',
        ),
      ),
    );
    const { challenge, isOpen } = used ?? refuse(problems.passkeyChallengeNotFound);
    return isOpen ? challenge : refuse(problems.passkeyChallengeExpired);
  }
}

const scopeOf = (id: string, userId: string | undefined) =>
  userId === undefined ? { presented: id } : { userId };
