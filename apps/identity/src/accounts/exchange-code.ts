import { Injectable } from '@nestjs/common';
import { isText } from '../calls/fields.js';
import type { AccountCall } from '../calls/call.js';
import { badVerifier, missingCode, refuse, unknownCode } from '../calls/problems.js';
import type { Granted } from '../sessions/session-issue.js';
import { Sessions, tokenHash } from '../sessions/sessions.js';
import { grant } from './sign-in.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { answersChallenge } from '../users/code-challenge.js';
import { useToken } from '../users/mailed-tokens.js';

/** Exchanges the code that a mail's link led to, with the proof that this client asked for the mail. */
@Injectable()
export class ExchangeCode {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
  ) {}

  async execute({ fields, address }: Pick<AccountCall, 'fields' | 'address'>): Promise<Granted> {
    const { auth_code: code, code_verifier: verifier } = fields();
    if (!isText(code) || !isText(verifier)) return refuse(missingCode);
    const hash = tokenHash(code);
    return this.transactions.run({ presented: hash }, async (client) => {
      const { userId, challenge } = (await useToken(client, hash, 'code')) ?? refuse(unknownCode);
      if (challenge === null || !answersChallenge(challenge, verifier)) refuse(badVerifier);
      await actForUser(client, userId);
      return grant(client, this.sessions, { userId, address, method: 'otp' });
    });
  }
}
