import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import { Database } from '../database.js';
import { EndedSessions } from './ended-sessions.js';
import { endSessions } from './sessions.js';
import type { SignOutScope } from './sessions.js';

/** Ends this session, all of the user's, or all but this one: their tokens are refused from then on. */
export class SignOut extends Command<void> {
  constructor(
    readonly identity: Identity,
    readonly scope: SignOutScope,
  ) {
    super();
  }
}

@CommandHandler(SignOut)
export class SignOutHandler implements ICommandHandler<SignOut> {
  constructor(
    private readonly database: Database,
    private readonly ended: EndedSessions,
  ) {}

  async execute({ identity, scope }: SignOut): Promise<void> {
    const { therapistId, sessionId } = identity;
    // A token of another issuer belongs to no session of ours.
    if (sessionId === undefined) return;
    const session = { therapistId, sessionId };
    const ended = await this.database.transaction({ therapistId }, async (client) => {
      const ids = await endSessions(client, session, scope);
      await this.ended.announce(client, ids);
      return ids;
    });
    // This gateway need not wait for its own announcement.
    this.ended.forget(ended);
  }
}
