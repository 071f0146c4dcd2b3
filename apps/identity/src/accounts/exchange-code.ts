import { CommandHandler } from '@nestjs/cqrs';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { isText } from '../calls/fields.js';
import { badVerifier, missingCode, refuse, unknownCode } from '../calls/problems.js';
import { SessionIssue } from '../sessions/session-issue.js';
import { Sessions } from '../sessions/sessions.js';
import { tokenHash } from '../store/secrets.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { answersChallenge } from '../users/code-challenge.js';
import { useToken } from '../users/mailed-tokens.js';
import { grant } from './grant.js';

/** Exchanges the code that a mail's link led to, with the proof that this client asked for the mail. */
export class ExchangeCode extends AccountCommand {}

@CommandHandler(ExchangeCode)
export class ExchangeCodeHandler implements AccountHandler<ExchangeCode> {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly issue: SessionIssue,
  ) {}

  async execute({ call }: ExchangeCode) {
    const { fields, address } = call;
    const { auth_code: code, code_verifier: verifier } = fields();
    if (!isText(code) || !isText(verifier)) return refuse(missingCode);
    const hash = tokenHash(code);
    const granted = await this.transactions.run({ presented: hash }, async (tables) => {
      const { userId, challenge } = (await useToken(tables, hash, 'code')) ?? refuse(unknownCode);
      if (challenge === null || !answersChallenge(challenge, verifier)) refuse(badVerifier);
      await actForUser(tables, userId);
      return grant(tables, this.sessions, { userId, address, method: 'otp' });
    });
    return this.issue.reply(granted, call);
  }
}
