import { CommandHandler } from '@nestjs/cqrs';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { isUuid } from '../calls/fields.js';
import { factorNotFound, refuse } from '../calls/problems.js';
import { Transactions } from '../store/transactions.js';
import { insertChallenge, lockedFactor } from './factors.js';
import { FactorLock } from './factor-lock.js';

/** Opens a challenge for a factor; a code answers it within five minutes. */
export class ChallengeFactor extends AccountCommand {}

@CommandHandler(ChallengeFactor)
export class ChallengeFactorHandler implements AccountHandler<ChallengeFactor> {
  constructor(
    private readonly transactions: Transactions,
    private readonly lock: FactorLock,
  ) {}

  async execute({ call: { identity, id } }: ChallengeFactor) {
    const { userId } = identity;
    if (!isUuid(id)) refuse(factorNotFound);
    await this.lock.require(userId);
    const challenge = await this.transactions.run({ userId }, async (tables) => {
      if ((await lockedFactor(tables, userId, id)) === null) refuse(factorNotFound);
      return insertChallenge(tables, userId, id);
    });
    return { body: { ...challenge, type: 'totp' } };
  }
}
