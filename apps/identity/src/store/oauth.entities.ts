// The tables of the OAuth server: the state of authorizations and refresh tokens, the secrets of clients and the uses of grants.

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A row of the OAuth library: a code, a refresh token, a grant, a pending authorization or a self-registered client. The ids are
 * secrets, so only their hashes are stored, and what the library stores is sealed.
 */
@Entity('oauth_payloads')
@Index('oauth_payloads_grant_idx', ['grantHash'], { where: 'grant_hash IS NOT NULL' })
@Index('oauth_payloads_user_code_key', ['userCodeHash'], {
  unique: true,
  where: 'user_code_hash IS NOT NULL',
})
@Index('oauth_payloads_expiry_idx', ['expiresAt'])
export class OauthPayload {
  @PrimaryColumn('text') idHash!: string;
  @Column('text') sealedPayload!: string;
  @Column('text', { nullable: true }) grantHash!: string | null;
  @Column('text', { nullable: true }) userCodeHash!: string | null;
  @Column('timestamptz', { nullable: true }) consumedAt!: Date | null;
  @Column('timestamptz') expiresAt!: Date;
}

/** A client that a practice has registered. Its record belongs to the practice. This row can be found by the id of the client. */
@Entity('oauth_registrations')
export class OauthRegistration {
  @PrimaryColumn('uuid') clientId!: string;
  @Column('uuid') therapistId!: string;
  @Column('text') name!: string;
  @Column('text', { array: true }) redirectUris!: readonly string[];
  @Column('text') kind!: 'public' | 'confidential';
}

/** A secret of a registered client. The previous secret stays valid until `endsAt`. */
@Entity('oauth_client_secrets')
export class OauthClientSecret {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') clientId!: string;
  @PrimaryColumn('text') secretHash!: string;
  /** Null for the newest secret. */
  @Column('timestamptz', { nullable: true }) endsAt!: Date | null;
}

/** The end and the last use of an open grant. A use is no event, because the log would grow with each use. */
@Entity('oauth_grant_uses')
export class OauthGrantUse {
  @PrimaryColumn('uuid') therapistId!: string;
  /** The grant. */
  @PrimaryColumn('uuid') id!: string;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('text', { nullable: true }) lastUsedAddress!: string | null;
}
