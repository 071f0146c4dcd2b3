import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { IDENTITY_CHANGES } from '@practice/contracts';
import type { EndedSession, GatewayMember, GlassBroken, IdentityChange } from '@practice/contracts';
import type { Connection } from '@practice/messaging';
import type { EndedAccess } from '../sessions/end-access.js';

/**
 * Announces changes to all gateways. To be called after the commit and before the caller gets its reply: both travel on one
 * connection, so the caller's own gateway knows the change when it passes the reply on.
 */
@Injectable()
export class GatewayAnnouncements implements OnApplicationBootstrap {
  constructor(private readonly connection: Pick<Connection, 'nats'>) {}

  /** A process that ended between a commit and its announcement is made up for by the next one that starts. */
  onApplicationBootstrap(): void {
    this.stateChanged();
  }

  sessionsEnded(sessions: readonly EndedSession[]): void {
    if (sessions.length > 0) this.publish({ type: 'SessionsEnded', sessions });
  }

  accessEnded({ sessions, tokens }: EndedAccess): void {
    this.sessionsEnded(sessions);
    for (const id of tokens) this.personalTokenRevoked(id);
  }

  personalTokenRevoked(id: string): void {
    this.publish({ type: 'PersonalTokenRevoked', id });
  }

  memberChanged(member: GatewayMember): void {
    this.publish({ type: 'MemberChanged', member });
  }

  glassBroken(access: GlassBroken): void {
    this.publish({ type: 'GlassBroken', access });
  }

  /** @param withdrawnKey refused at once, before the gateways have loaded the new state */
  stateChanged(withdrawnKey?: string): void {
    this.publish({ type: 'StateChanged', ...(withdrawnKey === undefined ? {} : { withdrawnKey }) });
  }

  private publish(change: IdentityChange): void {
    this.connection.nats.publish(IDENTITY_CHANGES, JSON.stringify(change));
  }
}
