// Announces changes to the processes that check tokens, and waits for their confirmations.

import { randomUUID } from 'node:crypto';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { type Connection, listenTo } from '@practice/bus';
import { IDENTITY_CHANGES, IDENTITY_CHANGES_KNOWN } from '@practice/contracts';
import type { AnnouncedChange, EndedSession, IdentityChange, KnownChange } from '@practice/contracts';

/** If a process does not confirm a change within this time, nothing waits for the process until it sends a message again. */
const CONFIRMS_WITHIN_MS = 1_000;

interface Waiting {
  readonly missing: Set<string>;
  readonly done: () => void;
}

/** Ended sessions, and the ids of revoked personal access tokens. */
export interface EndedAccess {
  readonly sessions: readonly EndedSession[];
  readonly tokens: readonly string[];
}

/**
 * Announces changes to all processes that check tokens. To be called after the commit and before the caller gets its reply. Each
 * method resolves when all of these processes know the change, or after a second.
 */
export class GatewayAnnouncements implements OnApplicationBootstrap {
  /** The processes that listen. */
  private readonly processes = new Set<string>();
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly connection: Pick<Connection, 'nats' | 'logger'>) {}

  /** Announces a change, in case a process ended between a commit and its announcement. The confirmations show which processes listen. */
  onApplicationBootstrap(): void {
    listenTo(this.connection, IDENTITY_CHANGES_KNOWN, (message) => this.hear(message.json<KnownChange>()));
    void this.stateChanged();
  }

  /** @param heard called when a process or a command has announced a change of the state that gateways load */
  onStateChanged(heard: () => void): void {
    listenTo(this.connection, IDENTITY_CHANGES, (message) => {
      if (message.json<IdentityChange>().type === 'StateChanged') heard();
    });
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

  /** @param withdrawnKey refused at once, before the gateways have loaded the new state */
  stateChanged(withdrawnKey?: string): Promise<void> {
    return this.announce({ type: 'StateChanged', ...(withdrawnKey === undefined ? {} : { withdrawnKey }) });
  }

  announce(change: IdentityChange): Promise<void> {
    const announcement = randomUUID();
    const announced: AnnouncedChange = { ...change, announcement };
    this.connection.nats.publish(IDENTITY_CHANGES, JSON.stringify(announced));
    return this.known(announcement);
  }

  /** Resolves when all processes know a change that was just announced, or after a second. */
  private known(change: string): Promise<void> {
    if (this.processes.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const missing = new Set(this.processes);
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(change);
        resolve();
      };
      const giveUp = (): void => {
        for (const process of missing) this.processes.delete(process);
        done();
      };
      const timer = setTimeout(giveUp, CONFIRMS_WITHIN_MS);
      this.waiting.set(change, { missing, done });
    });
  }

  private hear({ process, change, ends }: KnownChange): void {
    if (ends === true) {
      this.processes.delete(process);
      for (const waiting of [...this.waiting.values()]) confirm(waiting, process);
      return;
    }
    this.processes.add(process);
    const waiting = change === undefined ? undefined : this.waiting.get(change);
    if (waiting !== undefined) confirm(waiting, process);
  }
}

function confirm({ missing, done }: Waiting, process: string): void {
  missing.delete(process);
  if (missing.size === 0) done();
}
