// A user, as sign-ins and the user's own calls read it. The user's record is in the practice that the user opened. Both have
// the same id.

import { Inject, Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { type AuthProblem, problems, refuse, refuseViolated } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { Credential } from '../store/account.entities.js';
import { nowInMilliseconds } from '../store/database.js';
import { selectUser, type UserRow, type UserValues } from '../store/raw-sql.js';
import { Passkey } from '../store/passkey.entities.js';
import { Factor } from '../store/session.entities.js';

export interface User extends UserValues {
  readonly factors: readonly ShownFactor[];
}

/** The user that the transaction acts for. */
export async function userById(tables: EntityManager, id: string): Promise<User | undefined> {
  const rows = await selectUser(tables, id);
  const [first] = rows;
  if (first === undefined) return undefined;
  return { ...first, factors: first.factorId === null ? [] : rows.map(shownFactor) };
}

/** A second factor as its user sees it. */
const shownFactor = (row: UserRow) => ({
  id: row.factorId ?? '',
  friendly_name: row.name,
  factor_type: 'totp',
  status: row.verifiedAt === null ? 'unverified' : 'verified',
  created_at: row.addedAt,
  updated_at: row.factorUpdatedAt,
  ...(row.lastChallengedAt && { last_challenged_at: row.lastChallengedAt }),
});

type ShownFactor = ReturnType<typeof shownFactor>;

/** Whether the user has a verified factor, so a password no longer suffices. */
export const hasSecondFactor = (factors: readonly ShownFactor[]): boolean =>
  factors.some(({ status }) => status === 'verified');

/** Whether the user that the transaction acts for has a verified factor. */
export const isEnrolled = (tables: EntityManager, userId: string): Promise<boolean> =>
  tables.existsBy(Factor, { userId, verifiedAt: Not(IsNull()) });

/** Whether the user that the transaction acts for has a passkey. */
export const hasPasskey = (tables: EntityManager, userId: string): Promise<boolean> =>
  tables.existsBy(Passkey, { userId });

/** Whether the user can pass a second factor: with an authenticator app, or a passkey. */
export const canPassSecondFactor = async (tables: EntityManager, userId: string): Promise<boolean> =>
  (await isEnrolled(tables, userId)) || hasPasskey(tables, userId);

/** The address of the user that the transaction acts for. */
export async function addressOf(tables: EntityManager, userId: string): Promise<string | undefined> {
  return (await tables.findOneBy(Credential, { userId }))?.email;
}

/** Records that the user has access to the mailbox of the address. Returns false if this was known before. */
export async function noteConfirmed(tables: EntityManager, userId: string): Promise<boolean> {
  const unconfirmed = { userId, confirmedAt: IsNull() };
  return (await tables.update(Credential, unconfirmed, { confirmedAt: nowInMilliseconds })).affected === 1;
}

/** A user as Supabase's clients read it. It holds nothing that must be hidden from its owner. */
export function publicUser(user: User, { confirmsAddresses }: ConfirmsAddresses): object {
  const { createdAt, updatedAt, lastSignInAt, recoverySentAt, newEmail, changeSentAt, factors } = user;
  // If addresses are not confirmed, they are valid from the sign-up on.
  const confirmedAt = user.confirmedAt ?? (confirmsAddresses ? null : createdAt);
  return {
    ...shared(user, { createdAt, updatedAt, lastSignInAt }),
    ...(confirmedAt && { email_confirmed_at: confirmedAt, confirmed_at: confirmedAt }),
    ...(recoverySentAt && { recovery_sent_at: recoverySentAt }),
    ...(newEmail !== null && { new_email: newEmail, email_change_sent_at: changeSentAt }),
    ...(factors.length > 0 && { factors }),
  };
}

type ConfirmsAddresses = Pick<IdentityConfig, 'confirmsAddresses'>;

/** The response to a sign-up whose address is not confirmed yet: the same whether or not the address has an account. */
export const unconfirmedUser = (user: Shown, now: Date): object => ({
  ...shared(user, { createdAt: now, updatedAt: now }),
  confirmation_sent_at: now,
});

type Shown = Pick<User, 'id' | 'email' | 'metadata'>;

function shared(
  { id, email, metadata }: Shown,
  { createdAt, updatedAt, lastSignInAt }: Pick<User, 'createdAt' | 'updatedAt'> & Partial<User>,
): object {
  const times = {
    ...(lastSignInAt && { last_sign_in_at: lastSignInAt }),
    created_at: createdAt,
    updated_at: updatedAt,
  };
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: metadata,
    identities: [
      {
        identity_id: id,
        id,
        user_id: id,
        identity_data: { email, email_verified: false, phone_verified: false, sub: id },
        provider: 'email',
        ...times,
        email,
      },
    ],
    ...times,
    is_anonymous: false,
  };
}

/** Requires that a user has proven access to the mailbox of the account's address, if addresses are confirmed. */
@Injectable()
export class ConfirmedAddress {
  constructor(@Inject(IDENTITY_CONFIG) private readonly config: ConfirmsAddresses) {}

  /** @throws {Rejection} 403 `email_not_confirmed` */
  async require(tables: EntityManager, userId: string): Promise<void> {
    if (!(await this.isConfirmed(tables, userId))) refuse(problems.emailNotConfirmed);
  }

  /** Whether the user has confirmed the address; always true if addresses are not confirmed. The transaction acts for the user. */
  async isConfirmed(tables: EntityManager, userId: string): Promise<boolean> {
    return (
      !this.config.confirmsAddresses || tables.existsBy(Credential, { userId, confirmedAt: Not(IsNull()) })
    );
  }
}

/**
 * Turns the error of storing an address that belongs to another user, or that the user's own practice has invited, into a refusal.
 * @param taken the refusal for the address of another user
 */
export const refuseStored = (taken: AuthProblem) =>
  refuseViolated({ credentials_email_key: taken, memberships_email_key: problems.emailOfMembership });

/** The name of a user among the user's own details, under the keys that apps use; null without a name. */
export function nameIn(metadata: object): string | null {
  const { full_name: full, name } = metadata as { full_name?: unknown; name?: unknown };
  const given = full ?? name;
  return typeof given === 'string' && given.length <= 320 ? given : null;
}
