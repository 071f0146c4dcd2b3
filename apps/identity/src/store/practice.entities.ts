// The access of people to practices, and the invitations, archives and calendar links of practices.

import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Credential } from './account.entities.js';

/**
 * The role of a person in a practice; null after the person has left. It is written with the membership, so the practice writes it. The
 * person can read or lock it. Gateways must know the changed rows of all practices.
 */
@Entity('access')
@Index('access_practice_idx', ['therapistId'])
@Index('access_changed_idx', ['changedAt'], { where: 'changed_at IS NOT NULL' })
export class Access {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('uuid') therapistId!: string;
  @Column('text', { nullable: true }) role!: string | null;
  @Column('timestamptz', { nullable: true }) changedAt!: Date | null;
  /** Whether the practice requires a second factor. */
  @Column('boolean', { default: false }) requiresMfa!: boolean;
  /** Keeps the person out after second factors were reset elsewhere. The value `infinity` is read as a number. */
  @Column('timestamptz', { nullable: true }) heldUntil!: Date | number | null;
  @Column('timestamptz', { nullable: true }) heldSince!: Date | null;
}

/** The token of an open invitation. */
@Entity('invitations')
@Unique('invitations_hash_key', ['tokenHash'])
export class Invitation {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') membershipId!: string;
  @Column('text') tokenHash!: string;
  @Column('timestamptz') expiresAt!: Date;
}

/** An archive, while it is made and until it expires. Its parts are sealed with a key that only the link contains. */
@Entity('archives')
@Unique('archives_hash_key', ['secretHash'])
export class Archive {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') exportId!: string;
  /** The owner who requested it. */
  @Column('uuid') userId!: string;
  @Column('text') secretHash!: string;
  @Column('timestamptz') requestedAt!: Date;
  @Column('boolean', { default: false }) isBegun!: boolean;
  /** If the archive is not complete at this time, no process makes it any more. */
  @Column('timestamptz') aliveUntil!: Date;
  /** Null until the archive is complete. */
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('integer', { default: () => '0' }) parts!: number;
  @Column('bigint', { default: () => '0' }) size!: string;
}

/** Sealed bytes of an archive. They are deleted with it. */
@Entity('archive_parts')
@ForeignKey(() => Archive, ['therapistId', 'exportId'], ['therapistId', 'exportId'], {
  name: 'archive_parts_archive_fkey',
  onDelete: 'CASCADE',
})
export class ArchivePart {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') exportId!: string;
  @PrimaryColumn('integer') index!: number;
  @Column('bytea') sealed!: Buffer;
}

/** A calendar link: the hash of its secret, and who made it. */
@Entity('calendar_links')
@ForeignKey(() => Credential, ['userId'], ['userId'], { onDelete: 'CASCADE' })
@Unique('calendar_links_hash_key', ['secretHash'])
@Index('calendar_links_user_idx', ['userId'])
export class CalendarLink {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('text') secretHash!: string;
  @Column('boolean') isFull!: boolean;
  @Column('uuid', { nullable: true }) practitionerId!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('text', { nullable: true }) lastUsedAddress!: string | null;
}

/** An erased practice whose events are still on the bus with values. The rows are a work list for all processes. */
@Entity('bus_erasures')
export class BusErasure {
  @PrimaryColumn('uuid') therapistId!: string;
}
