import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ClientBase } from 'pg';
import { actForPractice, Database } from '../database.js';
import { linkExpired, refuse } from './errors.js';
import { keepToken, recoveryToken, useToken } from './mail/mailed-tokens.js';
import type { Granted } from './session-issue.js';
import { openSession, tokenHash } from './sessions.js';
import { touchUser, userById } from './users.js';

/** What a link leads to: a session, or a code that only the browser that asked for the mail can exchange for one. */
export type Led = Granted | { readonly code: string };

/** Signs in with what came by mail; it is used up. Responses with a new session, in which a new password can be set. */
export class UseRecovery extends Command<Led> {
  constructor(
    readonly token: string,
    /** Whether it was opened as a link, where its end can be seen by others than who asked for it. */
    readonly isLink: boolean,
  ) {
    super();
  }
}

@CommandHandler(UseRecovery)
export class UseRecoveryHandler implements ICommandHandler<UseRecovery> {
  constructor(private readonly database: Database) {}

  async execute({ token, isLink }: UseRecovery): Promise<Led> {
    const hash = tokenHash(token);
    return this.database.transaction({ presented: hash }, async (client) => {
      const { therapistId, challenge } = (await useToken(client, hash, 'recovery')) ?? refuse(linkExpired);
      await actForPractice(client, therapistId);
      if (!isLink || challenge === null) return grantByMail(client, therapistId);
      const code = recoveryToken();
      await keepToken(client, therapistId, { hash: tokenHash(code), purpose: 'code', challenge });
      return { code };
    });
  }
}

/** A session for the practice that the transaction acts for, whose owner reads its mail. */
export async function grantByMail(client: ClientBase, therapistId: string): Promise<Granted> {
  const at = new Date();
  await touchUser(client, therapistId, at);
  const user = (await userById(client, therapistId)) ?? refuse(linkExpired);
  return { user, session: await openSession(client, therapistId, { at, method: 'otp' }) };
}
