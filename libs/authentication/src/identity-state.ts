// The state of the identity service that a gateway needs: the public keys of access tokens, the ended sessions, the roles that have
// changed since tokens were issued, and break-glass access. It is loaded at start, after every reconnect and at intervals, and messages update it.

import { createPublicKey, type JsonWebKey, type KeyObject, randomUUID } from 'node:crypto';
import { type Connection, listenTo, type Requester } from '@practice/bus';
import { IDENTITY_CHANGES, IDENTITY_CHANGES_KNOWN } from '@practice/contracts';
import type {
  AnnouncedChange,
  EndedSession,
  GatewayState,
  IdentityChange,
  KnownChange,
} from '@practice/contracts';
import type { Logger } from '@practice/process';
import { BrokenGlass, ChangedMembers } from './announced-values.js';
import { askIdentity } from './identity-messages.js';
import type { VerifiedTokens } from './verified-tokens.js';

export interface IdentityStateParts {
  readonly connection: Connection;
  readonly requester: Requester;
  readonly verified: VerifiedTokens;
  readonly logger: Logger;
}

/** The interval of loads. A change whose announcement was lost is known after this time at most. */
const RELOAD_MS = 60_000;
const RETRY_MS = 500;
/** How long changes of members are collected before a load. A change must apply within a second. */
const GATHER_MS = 500;
const FAILURES_UNTIL_WARNING = 10;
/** The minimum time between two loads for unknown key ids, since a token may name any key id. */
const LOOK_AGAIN_MS = 5_000;

export class IdentityState {
  private keys: ReadonlyMap<string, KeyObject> = new Map();
  /** The ended sessions: id → when the last access token of the session expires, in milliseconds since the epoch. */
  private readonly ended = new Map<string, number>();
  readonly members = new ChangedMembers();
  readonly glass = new BrokenGlass();
  private readonly withdrawn = new Set<string>();
  private readonly process = randomUUID();
  private loading: Promise<void> | undefined;
  /** The number of failed loads since the last successful one. */
  private failures = 0;
  private loadedAt = -Infinity;
  private connectedAt = 0;
  private fresh = false;
  private timer: NodeJS.Timeout | undefined;
  private gathering: NodeJS.Timeout | undefined;

  constructor(private readonly parts: IdentityStateParts) {}

  /** Whether tokens can be checked: the state was loaded after the last connection to the bus. */
  get isFresh(): boolean {
    return this.fresh;
  }

  /** Subscribes, then loads the state, so that no change is missed in between. Returns a function that stops it. */
  start(): () => void {
    const { connection, verified } = this.parts;
    const subscription = listenTo(connection, IDENTITY_CHANGES, (message) => {
      void this.take(message.json<AnnouncedChange>());
    });
    const stopDown = connection.onDown(() => {
      this.connectedAt += 1;
      this.fresh = false;
      verified.trust(false);
    });
    const stopUp = connection.onUp(() => void this.reloadSoon());
    void this.reloadSoon();
    return () => {
      this.say({ ends: true });
      clearTimeout(this.timer);
      clearTimeout(this.gathering);
      stopDown();
      stopUp();
      if (!connection.nats.isClosed()) subscription.unsubscribe();
    };
  }

  /**
   * Waits until tokens can be checked. A load that began before the connection was lost does not count.
   * @throws {Rejection} PM503 when the identity service is unavailable
   */
  async ready(): Promise<void> {
    while (!this.fresh) await this.load();
  }

  /** The public key with this id. Loads the state again if the id is unknown. */
  async publicKey(kid: string): Promise<KeyObject | undefined> {
    await this.ready();
    if (!this.keys.has(kid)) {
      const isDue = performance.now() - this.loadedAt > LOOK_AGAIN_MS;
      if (isDue) await this.load().catch(() => undefined);
      else await this.loading?.catch(() => undefined);
    }
    return this.keys.get(kid);
  }

  hasKey(kid: string): boolean {
    return this.keys.has(kid);
  }

  hasEnded(sessionId: string): boolean {
    return this.ended.has(sessionId);
  }

  /** Applies a change and confirms it. The identity service waits for the confirmation before it responds to the caller. */
  private async take({ announcement, ...change }: AnnouncedChange): Promise<void> {
    if (await this.apply(change)) this.say({ change: announcement });
  }

  /** Reports to the identity service that this process is alive, that it knows a change, or that it ends. */
  private say(known: Omit<KnownChange, 'process'>): void {
    const { nats } = this.parts.connection;
    const message: KnownChange = { process: this.process, ...known };
    if (!nats.isClosed()) nats.publish(IDENTITY_CHANGES_KNOWN, JSON.stringify(message));
  }

  /** Applies a change. @returns whether the change is now known; false if its load failed and will be repeated */
  private apply(change: IdentityChange): boolean | Promise<boolean> {
    const { verified } = this.parts;
    if (change.type === 'SessionsEnded') this.end(change.sessions);
    else if (change.type === 'PersonalTokenRevoked') verified.forgetSession(change.id);
    else if (change.type === 'GlassBroken') {
      this.glass.hear(change.access);
      verified.forgetSession(change.access.sessionId);
    } else if (change.type === 'MemberChanged') {
      const isLatest = this.members.hear(change.member);
      this.glass.end(change.member);
      verified.forgetMember(change.member);
      if (!isLatest) this.reloadOnce();
    } else {
      if (change.withdrawnKey !== undefined) this.withdraw(change.withdrawnKey);
      return this.reloadSoon();
    }
    return true;
  }

  private end(sessions: readonly EndedSession[]): void {
    for (const { id, until } of sessions) {
      if (this.ended.has(id)) continue;
      this.ended.set(id, until);
      this.parts.verified.forgetSession(id);
    }
  }

  private withdraw(kid: string): void {
    this.withdrawn.add(kid);
    this.keys = new Map([...this.keys].filter(([known]) => known !== kid));
    this.parts.verified.forgetAll();
  }

  /** Loads again, even after a running load, which may have begun too early. Retries until it succeeds. @returns whether it succeeded */
  private reloadSoon(): Promise<boolean> {
    clearTimeout(this.timer);
    const before = this.loading ?? Promise.resolve();
    return before
      .catch(() => undefined)
      .then(() => this.load())
      .then(
        () => {
          this.failures = 0;
          this.reloadAfter(RELOAD_MS);
          return true;
        },
        (err: unknown) => {
          this.failures += 1;
          // All processes start at the same time, so the first attempts may find no identity service.
          const level = this.failures < FAILURES_UNTIL_WARNING ? 'info' : 'warn';
          this.parts.logger[level]({ err }, 'the keys and ended sessions were not loaded');
          this.reloadAfter(RETRY_MS);
          return false;
        },
      );
  }

  /** Loads once for all changes that arrive within `GATHER_MS`. */
  private reloadOnce(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      void this.reloadSoon();
    }, GATHER_MS).unref();
  }

  private reloadAfter(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.reloadSoon(), ms).unref();
  }

  private load(): Promise<void> {
    this.loading ??= this.read().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async read(): Promise<void> {
    const { requester, verified } = this.parts;
    const { connectedAt } = this;
    const loadMembers = this.members.beginLoad();
    const loadGlass = this.glass.beginLoad();
    const envelope = { op: 'gateway-state', requestId: randomUUID() };
    const { keys, ended, members, brokenGlass } = await askIdentity<GatewayState>(requester, envelope);
    this.replaceKeys(keys);
    this.end(ended);
    for (const member of loadMembers(members)) verified.forgetMember(member);
    for (const { sessionId } of loadGlass(brokenGlass)) verified.forgetSession(sessionId);
    const now = Date.now();
    for (const [id, until] of this.ended) if (until < now) this.ended.delete(id);
    this.loadedAt = performance.now();
    this.say({});
    // If the connection was lost during the load, later changes may have been missed, so the state does not count as fresh.
    if (connectedAt !== this.connectedAt || this.fresh) return;
    this.fresh = true;
    verified.trust(true);
  }

  private replaceKeys(keys: GatewayState['keys']): void {
    const good = keys.filter(({ kid }) => !this.withdrawn.has(kid));
    const next = new Map(
      good.map((jwk) => [
        jwk.kid,
        this.keys.get(jwk.kid) ?? createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }),
      ]),
    );
    const isGone = [...this.keys.keys()].some((kid) => !next.has(kid));
    this.keys = next;
    if (isGone) this.parts.verified.forgetAll();
  }
}
