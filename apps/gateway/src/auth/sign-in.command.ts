import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Database } from '../database.js';
import { Lockout } from '../limits/lockout.js';
import type { Credentials } from './auth-body.js';
import { invalidCredentials, refuse, tooManyRequests } from './errors.js';
import { Passwords } from './passwords.js';
import { SessionIssue } from './session-issue.js';
import { openSession } from './sessions.js';
import { touchUser, userByEmail } from './users.js';
import type { User } from './users.js';

/** Sign-in with an address and a password. Answers with a new session. */
export class SignIn extends Command<object> {
  constructor(
    readonly credentials: Credentials,
    /** The caller's network address, for the lock after many failures. */
    readonly address: string,
  ) {
    super();
  }
}

@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly sessions: SessionIssue,
    private readonly lockout: Lockout,
  ) {}

  /** Nothing in the answer, nor in its time, tells an unknown address from a wrong password. */
  async execute({ credentials, address }: SignIn): Promise<object> {
    const attempt = { address, email: credentials.email };
    const lockedSeconds = await this.lockout.remainingSeconds(attempt);
    if (lockedSeconds > 0) refuse({ ...tooManyRequests, headers: { 'Retry-After': String(lockedSeconds) } });
    const user = await this.authenticated(credentials);
    if (user === undefined) {
      await this.lockout.countFailure(attempt);
      return refuse(invalidCredentials);
    }
    await this.lockout.forget(attempt);
    const now = new Date();
    const session = await this.database.transaction({ therapistId: user.id }, async (client) => {
      await touchUser(client, user.id, now);
      return openSession(client, user.id, now);
    });
    return this.sessions.issue({ ...user, lastSignInAt: now, updatedAt: now }, session);
  }

  private async authenticated({ email, password }: Credentials): Promise<User | undefined> {
    const user = await this.database.transaction({ presented: email }, (client) =>
      userByEmail(client, email),
    );
    const given = typeof password === 'string' ? password : '';
    return (await this.passwords.matches(user?.passwordHash, given)) ? user : undefined;
  }
}
