// The credentials of users, and requests that wait for the response to a mail. Passwords and tokens are stored only as hashes.

import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** An address belongs to one user. */
@Entity('credentials')
@Unique('credentials_email_key', ['email'])
export class Credential {
  @PrimaryColumn('uuid') userId!: string;
  @Column('text') email!: string;
  @Column('text') passwordHash!: string;
  @Column('timestamptz') lastSignInAt!: Date;
  @Column('timestamptz', { nullable: true }) recoverySentAt!: Date | null;
  /** The practice that the user has switched to: the next session begins there. */
  @Column('uuid', { nullable: true }) therapistId!: string | null;
  /** When the user proved access to the mailbox of the address. */
  @Column('timestamptz', { nullable: true }) confirmedAt!: Date | null;
}

/**
 * A sign-up whose address is not confirmed. There is no account yet, and several sign-ups can have the same address. The account is
 * created from the confirmed sign-up, so the password of a stranger who signed up with the address never opens it.
 */
@Entity('pending_sign_ups')
@Unique('pending_sign_ups_hash_key', ['tokenHash'])
@Index('pending_sign_ups_email_idx', ['email', 'createdAt'])
@Index('pending_sign_ups_expiry_idx', ['expiresAt'])
export class PendingSignUp {
  /** The id of the account that the confirmation creates. */
  @PrimaryColumn('uuid') userId!: string;
  @Column('text') email!: string;
  @Column('text') tokenHash!: string;
  @Column('text') passwordHash!: string;
  @Column('jsonb') metadata!: object;
  /** The code challenge to answer, if there is one. */
  @Column('text', { nullable: true }) codeChallenge!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
}

/** The address that a user wants instead of the present one. It takes effect when both mails have been answered. */
@Entity('address_changes')
@ForeignKey(() => Credential, ['userId'], ['userId'], { onDelete: 'CASCADE' })
@Unique('address_changes_old_key', ['oldTokenHash'])
@Unique('address_changes_new_key', ['newTokenHash'])
@Index('address_changes_expiry_idx', ['expiresAt'])
export class AddressChange {
  @PrimaryColumn('uuid') userId!: string;
  @Column('text') email!: string;
  @Column('text') oldTokenHash!: string;
  @Column('text') newTokenHash!: string;
  @Column('timestamptz', { nullable: true }) oldConfirmedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) newConfirmedAt!: Date | null;
  @Column('text', { nullable: true }) codeChallenge!: string | null;
  @Column('timestamptz') sentAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
}

/** A token that was mailed to prove access to the mailbox of an address. It can be used once, until it expires. */
@Entity('mailed_tokens')
@ForeignKey(() => Credential, ['userId'], ['userId'], { onDelete: 'CASCADE' })
@Unique('mailed_tokens_hash_key', ['tokenHash'])
@Check('mailed_tokens_purpose_check', `purpose IN ('recovery', 'reauthentication', 'code')`)
export class MailedToken {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('text') tokenHash!: string;
  @Column('text') purpose!: 'recovery' | 'reauthentication' | 'code';
  @Column('timestamptz') expiresAt!: Date;
  @Column('text', { nullable: true }) codeChallenge!: string | null;
}

/** A key signs from `signsFrom` until the next key signs. Private keys are encrypted with a key that is not in the database. */
@Entity('signing_keys')
export class StoredSigningKey {
  @PrimaryColumn('text') kid!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('jsonb') publicJwk!: object;
  /** Null for a key that only verifies. */
  @Column('text', { nullable: true }) sealedPrivateKey!: string | null;
  @Column('timestamptz') signsFrom!: Date;
}
