// Sessions, second factors and the tokens of users.

import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Credential } from './account.entities.js';

/** Gateways must know the ended sessions of all users. */
@Entity('sessions')
@ForeignKey(() => Credential, ['userId'], ['userId'], { onDelete: 'CASCADE' })
@Check('sessions_method_check', `method IN ('password', 'otp', 'passkey')`)
@Check('sessions_second_factor_check', `second_factor IN ('totp', 'mfa/recovery_code', 'passkey')`)
@Index('sessions_ended_idx', ['tokensExpireAt'], { where: 'ended_at IS NOT NULL' })
@Index('sessions_refreshed_at_idx', ['refreshedAt'])
export class Session {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** The practice that the session acts in. */
  @Column('uuid') therapistId!: string;
  /** The practices that the session has left, with the time when it left each of them. */
  @Column('jsonb', { default: () => `'{}'` }) leftPractices!: Readonly<Record<string, string>>;
  @Column('text') method!: 'password' | 'otp' | 'passkey';
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') tokensExpireAt!: Date;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  @Column('timestamptz') refreshedAt!: Date;
  @Column('text', { nullable: true }) address!: string | null;
  @Column('text', { nullable: true }) secondFactor!: 'totp' | 'mfa/recovery_code' | 'passkey' | null;
  @Column('timestamptz', { nullable: true }) secondFactorAt!: Date | null;
}

/** A refresh token is used once; the next one of its session replaces it. */
@Entity('refresh_tokens')
@ForeignKey(() => Session, ['userId', 'sessionId'], ['userId', 'id'], { onDelete: 'CASCADE' })
@Unique('refresh_tokens_hash_key', ['tokenHash'])
@Index('refresh_tokens_session_idx', ['userId', 'sessionId'])
export class RefreshToken {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('text') tokenHash!: string;
  @Column('uuid') sessionId!: string;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) usedAt!: Date | null;
}

/** The break-glass access of a session. It is removed when the role of the person changes. */
@Entity('broken_glass')
@ForeignKey(() => Session, ['userId', 'sessionId'], ['userId', 'id'], { onDelete: 'CASCADE' })
@Index('broken_glass_until_idx', ['until'])
export class BreakGlassAccess {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('uuid') sessionId!: string;
  @Column('uuid') therapistId!: string;
  /** The role of the person when it began. */
  @Column('text') role!: string;
  /** The id of its security event. */
  @Column('uuid') id!: string;
  @Column('timestamptz') until!: Date;
}

/** A token that a user makes for scripts, or the grant of an OAuth client, for one practice. */
@Entity('personal_tokens')
@ForeignKey(() => Credential, ['userId'], ['userId'], { onDelete: 'CASCADE' })
@Unique('personal_tokens_hash_key', ['tokenHash'])
// The relay's role finds grants whose token is gone. It does not know the user.
@Index('personal_tokens_id_idx', ['id'])
export class PersonalToken {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') therapistId!: string;
  @Column('text') name!: string;
  /** For a grant, the hash of its `grantKey`. */
  @Column('text') tokenHash!: string;
  /** Null for a token that its owner has made. */
  @Column('text', { nullable: true }) oauthClientId!: string | null;
  @Column('text', { nullable: true }) oauthClientName!: string | null;
  /** The part that may be shown again. */
  @Column('text') prefix!: string;
  /** Null: everything that the user may do. */
  @Column('text', { array: true, nullable: true }) scopes!: readonly string[] | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('text', { nullable: true }) lastUsedAddress!: string | null;
}

/** An authenticator app. It takes effect when `verifiedAt` is set. */
@Entity('mfa_factors')
@ForeignKey(() => Credential, ['userId'], ['userId'], { onDelete: 'CASCADE' })
@Index('mfa_factors_name_key', ['userId', 'friendlyName'], { unique: true, where: `friendly_name <> ''` })
export class Factor {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') friendlyName!: string;
  @Column('text') sealedSecret!: string;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) verifiedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastChallengedAt!: Date | null;
  /** The step of the last accepted code: each code is accepted once. */
  @Column('bigint', { default: () => '0' }) lastStep!: string;
}

/** An open challenge of a factor. */
@Entity('mfa_challenges')
@ForeignKey(() => Factor, ['userId', 'factorId'], ['userId', 'id'], { onDelete: 'CASCADE' })
export class Challenge {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') factorId!: string;
  @Column('timestamptz') expiresAt!: Date;
}

/** A recovery code. From `retiredAt` on, it replaces no code of an authenticator and only ends holds. */
@Entity('recovery_codes')
@ForeignKey(() => Credential, ['userId'], ['userId'], { onDelete: 'CASCADE' })
export class RecoveryCode {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('text') codeHash!: string;
  @Column('timestamptz', { nullable: true }) retiredAt!: Date | null;
}
