import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { DatabaseError } from 'pg';
import type { ClientBase } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { Database } from '../database.js';
import type { Credentials, RequestTrace } from './auth-body.js';
import { invalidData, refuse, userExists } from './errors.js';
import { checkNewPassword, Passwords } from './passwords.js';
import { practiceOpened, record } from './practice.js';
import type { Granted } from './session-issue.js';
import { openSession } from './sessions.js';
import type { OpenSession } from './sessions.js';
import { insertUser } from './users.js';
import type { User } from './users.js';

/** Sign-up: somebody opens a practice, and is its user from then on. Responses with the first session. */
export class OpenPractice extends Command<Granted> {
  constructor(
    readonly credentials: Credentials,
    readonly metadata: object,
    readonly trace: RequestTrace,
  ) {
    super();
  }
}

@CommandHandler(OpenPractice)
export class OpenPracticeHandler implements ICommandHandler<OpenPractice> {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
  ) {}

  /** The hash comes before anything is looked up: an address in use is refused no sooner than a free one is taken. */
  async execute({ credentials, metadata, trace }: OpenPractice): Promise<Granted> {
    const { email } = credentials;
    const passwordHash = await this.passwords.hash(checkNewPassword(credentials.password, email));
    const now = new Date();
    const times = { createdAt: now, updatedAt: now, lastSignInAt: now, recoverySentAt: null };
    const user: User = { id: uuidv7(), email, passwordHash, metadata, ...times };
    const session = await this.database
      .appending({ therapistId: user.id }, (client) => open(client, user, trace))
      .catch(refuseTaken);
    return { user, session };
  }
}

async function open(client: ClientBase, user: User, trace: RequestTrace): Promise<OpenSession> {
  await insertUser(client, user);
  await record(client, practiceOpened(user.email), { therapistId: user.id, at: user.createdAt, trace });
  return openSession(client, user.id, { at: user.createdAt, method: 'password' });
}

function refuseTaken(error: unknown): never {
  if (error instanceof DatabaseError) {
    if (error.constraint === 'users_email_key') refuse(userExists);
    // The only part of a sign-up that can't be stored although it is valid JSON is what the caller wrote about itself.
    if (error.code?.startsWith('22')) refuse(invalidData);
  }
  throw error;
}
