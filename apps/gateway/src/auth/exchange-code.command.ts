import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { actForPractice, Database } from '../database.js';
import type { Fields } from './auth-body.js';
import { badVerifier, missingCode, refuse, unknownCode } from './errors.js';
import { answersChallenge } from './mail/code-challenge.js';
import { useToken } from './mail/mailed-tokens.js';
import type { Granted } from './session-issue.js';
import { tokenHash } from './sessions.js';
import { grantByMail } from './use-recovery.command.js';

/** Exchanges the code that a mail's link led to, with the proof that the mail was asked for here. */
export class ExchangeCode extends Command<Granted> {
  constructor(
    readonly code: string,
    readonly verifier: string,
  ) {
    super();
  }
}

@CommandHandler(ExchangeCode)
export class ExchangeCodeHandler implements ICommandHandler<ExchangeCode> {
  constructor(private readonly database: Database) {}

  async execute({ code, verifier }: ExchangeCode): Promise<Granted> {
    const hash = tokenHash(code);
    return this.database.transaction({ presented: hash }, async (client) => {
      const { therapistId, challenge } = (await useToken(client, hash, 'code')) ?? refuse(unknownCode);
      if (challenge === null || !answersChallenge(challenge, verifier)) refuse(badVerifier);
      await actForPractice(client, therapistId);
      return grantByMail(client, therapistId);
    });
  }
}

/** @throws {Rejection} when the body lacks one of the two */
export function codeExchangeOf({ auth_code: code, code_verifier: verifier }: Fields): ExchangeCode {
  if (typeof code !== 'string' || typeof verifier !== 'string') return refuse(missingCode);
  return code === '' || verifier === '' ? refuse(missingCode) : new ExchangeCode(code, verifier);
}
