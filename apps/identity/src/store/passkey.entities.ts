// Passkeys, and the challenges that browsers sign with them.

import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Credential } from './account.entities.js';

/** A key pair (WebAuthn) whose private half an authenticator of the user keeps. */
@Entity('passkeys')
@ForeignKey(() => Credential, ['userId'], ['userId'], { onDelete: 'CASCADE' })
@Unique('passkeys_credential_key', ['credentialId'])
export class Passkey {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** The id that the authenticator chose, in base64url. */
  @Column('text') credentialId!: string;
  /** In COSE. */
  @Column('bytea') publicKey!: Buffer;
  /** How often the authenticator has signed, as of the last sign-in; always 0 if it does not count. */
  @Column('bigint') counter!: string;
  /** How browsers reach the authenticator. */
  @Column('text', { array: true }) transports!: readonly string[];
  @Column('text', { nullable: true }) friendlyName!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
}

/** An open challenge, which is signed once: by a user for a registration, or by a person who is not known yet for a sign-in. */
@Entity('passkey_challenges')
@ForeignKey(() => Credential, ['userId'], ['userId'], { onDelete: 'CASCADE' })
@Index('passkey_challenges_expiry_idx', ['expiresAt'])
export class PasskeyChallenge {
  @PrimaryColumn('uuid') id!: string;
  /** The user who registers a passkey; null for a sign-in. */
  @Column('uuid', { nullable: true }) userId!: string | null;
  @Column('text') challenge!: string;
  @Column('timestamptz') expiresAt!: Date;
}
