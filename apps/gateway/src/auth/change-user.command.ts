import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import { DatabaseError } from 'pg';
import type { ClientBase } from 'pg';
import { Database } from '../database.js';
import type { RequestTrace } from './auth-body.js';
import { EndedSessions } from './ended-sessions.js';
import {
  emailTaken,
  invalidData,
  refuse,
  samePassword,
  userGone,
  wrongCurrentPassword,
  wrongNonce,
} from './errors.js';
import { addressChangedMail, passwordChangedMail } from './mail/letters.js';
import { nonceHash, useToken, voidTokens } from './mail/mailed-tokens.js';
import { OutgoingMail } from './mail/outgoing-mail.js';
import { PasswordCheck } from './password-check.js';
import { checkNewPassword, Passwords } from './passwords.js';
import { practiceContactChanged, record } from './practice.js';
import { endSessions } from './sessions.js';
import { withMetadata } from './user-changes.js';
import type { UserChanges } from './user-changes.js';
import { lockUser, publicUser, updateUser, userById } from './users.js';
import type { User } from './users.js';

/** A user changes its account. Responses with the account as it is then. */
export class ChangeUser extends Command<object> {
  constructor(
    readonly identity: Identity,
    readonly changes: UserChanges,
    /** The network address that it comes from, with the request's trace. */
    readonly origin: RequestTrace & { readonly address: string },
  ) {
    super();
  }
}

interface Outcome {
  readonly before: User;
  readonly after: User;
  readonly endedSessions: readonly string[];
}

/** No session has it: who comes without one of ours changes its password, and every session ends. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

@CommandHandler(ChangeUser)
export class ChangeUserHandler implements ICommandHandler<ChangeUser> {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly check: PasswordCheck,
    private readonly ended: EndedSessions,
    private readonly mail: OutgoingMail,
  ) {}

  async execute(command: ChangeUser): Promise<object> {
    const passwordHash = await this.newHash(command);
    const { therapistId } = command.identity;
    const outcome = await this.database
      .appending({ therapistId }, (client) => this.change(client, command, passwordHash))
      .catch(refuseStored);
    this.ended.forget(outcome.endedSessions);
    this.tell(outcome);
    return publicUser(outcome.after);
  }

  /** Hashing takes long, so it is over before the account is locked. */
  private async newHash({ identity, changes, origin }: ChangeUser): Promise<string | undefined> {
    const { password, currentPassword } = changes;
    if (password === undefined) return undefined;
    const { therapistId } = identity;
    const user = await this.database.transaction({ therapistId }, (client) => userById(client, therapistId));
    const { email, passwordHash } = user ?? refuse(userGone);
    const chosen = checkNewPassword(password, changes.email ?? email);
    if (currentPassword !== undefined) {
      const isOwner = await this.check.isOwner({ email, password: currentPassword }, origin.address);
      if (!isOwner) refuse(wrongCurrentPassword);
    }
    if (await this.passwords.matches(passwordHash, chosen)) refuse(samePassword);
    return this.passwords.hash(chosen);
  }

  private async change(
    client: ClientBase,
    { identity, changes, origin }: ChangeUser,
    passwordHash: string | undefined,
  ): Promise<Outcome> {
    const { therapistId, sessionId = NO_SESSION } = identity;
    const before = (await lockUser(client, therapistId)) ?? refuse(userGone);
    if (changes.nonce !== undefined) await useNonce(client, therapistId, changes.nonce);
    const { email = before.email } = changes;
    const at = new Date();
    const changed = { ...before, email, passwordHash: passwordHash ?? before.passwordHash, updatedAt: at };
    const after = withMetadata(changed, changes.data);
    await updateUser(client, after);
    if (email !== before.email) {
      await record(client, practiceContactChanged(email), { therapistId, at, trace: origin });
    }
    // What was sent to the old address, or lets in past the old password, shall not undo this.
    if (email !== before.email || passwordHash !== undefined) await voidTokens(client, therapistId);
    if (passwordHash === undefined) return { before, after, endedSessions: [] };
    const endedSessions = await endSessions(client, { therapistId, sessionId }, 'others');
    await this.ended.announce(client, endedSessions);
    return { before, after, endedSessions };
  }

  /** The owner learns of it also where it was somebody else. */
  private tell({ before, after }: Outcome): void {
    if (after.email !== before.email) this.mail.sendLater(async () => addressChangedMail(before.email));
    if (after.passwordHash !== before.passwordHash) {
      this.mail.sendLater(async () => passwordChangedMail(before.email));
    }
  }
}

async function useNonce(client: ClientBase, therapistId: string, nonce: unknown): Promise<void> {
  const hash = typeof nonce === 'string' ? nonceHash(therapistId, nonce) : '';
  if ((await useToken(client, hash, 'reauthentication')) === undefined) refuse(wrongNonce);
}

function refuseStored(error: unknown): never {
  if (error instanceof DatabaseError) {
    if (error.constraint === 'users_email_key') refuse(emailTaken);
    // The only part that can't be stored although it is valid JSON is what the caller wrote about itself.
    if (error.code?.startsWith('22')) refuse(invalidData);
  }
  throw error;
}
