import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Database } from '../database.js';
import type { Credentials } from './auth-body.js';
import { PasswordCheck } from './password-check.js';
import type { Granted } from './session-issue.js';
import { openSession } from './sessions.js';
import { touchUser } from './users.js';

/** Sign-in with an address and a password. Responses with a new session. */
export class SignIn extends Command<Granted> {
  constructor(
    readonly credentials: Credentials,
    /** The caller's network address. */
    readonly address: string,
  ) {
    super();
  }
}

@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  constructor(
    private readonly check: PasswordCheck,
    private readonly database: Database,
  ) {}

  async execute({ credentials, address }: SignIn): Promise<Granted> {
    const user = await this.check.userOf(credentials, address);
    const now = new Date();
    const session = await this.database.transaction({ therapistId: user.id }, async (client) => {
      await touchUser(client, user.id, now);
      return openSession(client, user.id, { at: now, method: 'password' });
    });
    return { user: { ...user, lastSignInAt: now, updatedAt: now }, session };
  }
}
