import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AccountCall } from '../calls/call.js';
import { isUuid } from '../calls/fields.js';
import { factorNotFound, refuse } from '../calls/problems.js';
import { Transactions } from '../store/transactions.js';
import { insertChallenge, lockedFactor } from './factors.js';
import { FactorLock } from './factor-lock.js';

/** Opens a challenge for a factor; a code answers it within five minutes. */
@Injectable()
export class ChallengeFactor {
  constructor(
    private readonly transactions: Transactions,
    private readonly lock: FactorLock,
  ) {}

  async execute({ identity: { userId }, id: factorId }: AccountCall): Promise<object> {
    if (!isUuid(factorId)) refuse(factorNotFound);
    await this.lock.require(userId);
    const id = randomUUID();
    const expiresAt = await this.transactions.run({ userId }, async (client) => {
      if ((await lockedFactor(client, userId, factorId)) === undefined) refuse(factorNotFound);
      return insertChallenge(client, userId, { id, factorId });
    });
    return { id, type: 'totp', expires_at: expiresAt };
  }
}
