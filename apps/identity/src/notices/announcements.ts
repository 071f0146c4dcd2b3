import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { IDENTITY_CHANGES } from '@practice/contracts';
import type {
  AnnouncedChange,
  EndedSession,
  GatewayMember,
  GlassBroken,
  IdentityChange,
} from '@practice/contracts';
import { randomUUID } from 'node:crypto';
import type { Connection } from '@practice/bus';
import { Listeners } from './listeners.js';

/** Ended sessions, and the ids of revoked personal access tokens. */
export interface EndedAccess {
  readonly sessions: readonly EndedSession[];
  readonly tokens: readonly string[];
}

/**
 * Announces changes to all processes that check tokens. To be called after the commit and before the caller gets its reply. Each
 * method resolves when all of these processes know the change, or after a second.
 */
@Injectable()
export class GatewayAnnouncements implements OnApplicationBootstrap {
  private readonly listeners: Listeners;

  constructor(private readonly connection: Pick<Connection, 'nats'>) {
    this.listeners = new Listeners(connection);
  }

  /** Makes up for a process that ended between a commit and its announcement. The confirmations show which processes listen. */
  onApplicationBootstrap(): void {
    this.listeners.start();
    void this.stateChanged();
  }

  async sessionsEnded(sessions: readonly EndedSession[]): Promise<void> {
    if (sessions.length > 0) await this.announce({ type: 'SessionsEnded', sessions });
  }

  async accessEnded({ sessions, tokens }: EndedAccess): Promise<void> {
    const revoked = tokens.map((id) => this.personalTokenRevoked(id));
    await Promise.all([this.sessionsEnded(sessions), ...revoked]);
  }

  personalTokenRevoked(id: string): Promise<void> {
    return this.announce({ type: 'PersonalTokenRevoked', id });
  }

  memberChanged(member: GatewayMember): Promise<void> {
    return this.announce({ type: 'MemberChanged', member });
  }

  glassBroken(access: GlassBroken): Promise<void> {
    return this.announce({ type: 'GlassBroken', access });
  }

  /** @param withdrawnKey refused at once, before the gateways have loaded the new state */
  stateChanged(withdrawnKey?: string): Promise<void> {
    return this.announce({ type: 'StateChanged', ...(withdrawnKey === undefined ? {} : { withdrawnKey }) });
  }

  private announce(change: IdentityChange): Promise<void> {
    const announcement = randomUUID();
    const announced: AnnouncedChange = { ...change, announcement };
    this.connection.nats.publish(IDENTITY_CHANGES, JSON.stringify(announced));
    return this.listeners.know(announcement);
  }
}
