// Tables of the service's records, as far as identity reads them. Their definitions are in libs/contracts; only the log changes them.

import type { AskMode } from '@practice/core';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('practices')
export class PracticeRecord {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @Column('timestamptz') closedAt!: Date | null;
  @Column('timestamptz') erasedAt!: Date | null;
}

@Entity('memberships')
export class MembershipRecord {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') email!: string;
  @Column('text') displayName!: string | null;
  @Column('text') role!: string;
  @Column('text') status!: string;
  @Column('uuid') userId!: string | null;
}

@Entity('exports')
export class ExportRecord {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') status!: string;
}

@Entity('oauth_grants')
export class OauthGrantRecord {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') clientId!: string;
  @Column('text') ask!: AskMode;
}

@Entity('security_events')
export class SecurityEventRecord {
  @PrimaryColumn('uuid') therapistId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') kind!: string;
  @Column('uuid') userId!: string | null;
  @Column('uuid') tokenId!: string | null;
  @Column('text') address!: string | null;
  @Column('timestamptz') createdAt!: Date;
}

/** The head row of a practice's log. */
@Entity('practice_head')
export class PracticeHead {
  @PrimaryColumn('uuid') therapistId!: string;
  /** When the practice is erased; null unless it is closed. */
  @Column('timestamptz') eraseAt!: Date | null;
}
