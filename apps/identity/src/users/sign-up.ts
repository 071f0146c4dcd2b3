import { Injectable } from '@nestjs/common';
import { practices, users } from '@practice/contracts';
import { newRecord } from '@practice/resource';
import { RecordTransactions } from '@practice/service';
import { v7 as uuidv7 } from 'uuid';
import type { AccountCall } from '../accounts/call.js';
import { credentialsOf, metadataOf } from '../accounts/fields.js';
import { noAnonymous, refuse, userExists } from '../accounts/problems.js';
import { insertCredential } from '../credentials/credentials.js';
import { checkNewPassword, Passwords } from '../credentials/passwords.js';
import type { Granted } from '../sessions/session-issue.js';
import { Sessions } from '../sessions/sessions.js';
import { refuseStored } from './stored-problems.js';

/** Registers a user, opens its practice and signs it in. */
@Injectable()
export class SignUp {
  constructor(
    private readonly records: RecordTransactions,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
  ) {}

  /** Hashes before anything is looked up, so the response time does not reveal whether the address is in use. */
  async execute({ fields, trace }: Pick<AccountCall, 'fields' | 'trace'>): Promise<Granted> {
    const given = fields();
    // Supabase's clients sign up without any of these to get an anonymous user.
    if (!given['email'] && !given['phone'] && !given['password']) refuse(noAnonymous);
    const { email, password } = credentialsOf(given);
    const metadata = metadataOf(given);
    const passwordHash = await this.passwords.hash(checkNewPassword(password, email));
    const id = uuidv7();
    return this.records
      .run({ therapistId: id, ...trace }, async (transaction) => {
        const at = new Date(transaction.now);
        const defaults = { therapistId: id, id: () => id, now: transaction.now };
        const user = newRecord(users, { email, metadata, password_changed_at: transaction.now }, defaults);
        await transaction.create(practices, newRecord(practices, { email }, defaults));
        await transaction.create(users, user);
        await insertCredential(transaction.client, { therapistId: id, email, passwordHash }, at);
        const session = await this.sessions.open(transaction.client, id, { at, method: 'password' });
        const times = { createdAt: at, updatedAt: at, lastSignInAt: at, recoverySentAt: null };
        return { user: { id, email, passwordHash, metadata, ...times }, session };
      })
      .catch(refuseStored(userExists));
  }
}
