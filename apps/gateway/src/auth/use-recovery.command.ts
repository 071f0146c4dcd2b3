import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { actForPractice, Database } from '../database.js';
import { linkExpired, refuse } from './errors.js';
import { useToken } from './mail/mailed-tokens.js';
import type { Granted } from './session-issue.js';
import { openSession, tokenHash } from './sessions.js';
import { touchUser, userById } from './users.js';

/** Signs in with what came by mail; it is used up. Answers with a new session, in which a new password can be set. */
export class UseRecovery extends Command<Granted> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(UseRecovery)
export class UseRecoveryHandler implements ICommandHandler<UseRecovery> {
  constructor(private readonly database: Database) {}

  async execute({ token }: UseRecovery): Promise<Granted> {
    const hash = tokenHash(token);
    const now = new Date();
    const { user, session } = await this.database.transaction({ presented: hash }, async (client) => {
      const therapistId = (await useToken(client, hash, 'recovery')) ?? refuse(linkExpired);
      await actForPractice(client, therapistId);
      await touchUser(client, therapistId, now);
      const owner = (await userById(client, therapistId)) ?? refuse(linkExpired);
      return {
        user: owner,
        session: await openSession(client, therapistId, { at: now, method: 'otp' }),
      };
    });
    return { user, session };
  }
}
