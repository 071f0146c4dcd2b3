// A channel: one topic on one socket, joined with the token of a caller.

import { randomUUID } from 'node:crypto';
import { anonymous, type Authentication, type BearerRequest } from '@practice/authentication';
import { type Identity, type Problem, reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import { Caller } from '../../caller.js';
import type { Allowances } from '../allowance.js';
import type { ChangeListener, Changes } from '../changes/practice-changes.js';
import type { RecordChange } from '../changes/subscription.js';
import { type AskedSubscription, ChangeSubscriptions } from '../changes/subscriptions.js';
import { type Broadcast, EVENTS, type JoinConfig } from '../protocol/message.js';
import type { SharedMessage } from '../protocol/serializer.js';
import { PresenceOfChannel } from './presence-of-channel.js';
import { maySend, reasonOf, scopeMissing, tooManyBytes } from './reasons.js';
import type { Member, Topic } from './topic.js';
import type { TopicAddress, Topics } from './topics.js';

/** The parts that all channels share. */
export interface ChannelParts {
  readonly authentication: Authentication;
  readonly topics: Topics;
  readonly changes: Changes;
  readonly allowances: Allowances;
}

/** The origin of a socket, for throttling and logs. */
export type Origin = Pick<BearerRequest, 'ip' | 'id'>;

/** The output of a channel to its client. */
export interface ChannelOutput {
  /** Sends a payload that is already JSON. */
  readonly push: (event: string, json: string) => void;
  readonly share: (message: SharedMessage) => void;
  /** Called when the channel has closed itself. */
  readonly closed: () => void;
  /** Called for an error that is a defect. */
  readonly failed: (error: unknown) => void;
}

export interface ChannelOptions {
  readonly name: string;
  readonly config: JoinConfig;
  readonly origin: Origin;
  readonly asked: readonly AskedSubscription[];
  readonly output: ChannelOutput;
}

export class Channel implements Member, ChangeListener {
  private topic: Topic | undefined;
  private subscriptions: ChangeSubscriptions;
  private presence: PresenceOfChannel | undefined;
  private isClosed = false;
  /** The request with the token that the client sent last. */
  private latest: BearerRequest | undefined;

  private constructor(
    private readonly parts: ChannelParts,
    private readonly options: ChannelOptions,
    private caller: Caller,
  ) {
    this.subscriptions = new ChangeSubscriptions(options.asked, caller.identity);
  }

  /**
   * Makes a channel for a caller with a valid token. It gets messages once it is opened.
   * @throws {Rejection}
   */
  static async of(parts: ChannelParts, options: ChannelOptions): Promise<Channel> {
    const { config, origin } = options;
    const request = withToken(config.accessToken ?? reject(anonymous), origin);
    const caller = await Caller.of(parts.authentication, request);
    return new Channel(parts, options, caller);
  }

  /** Why subscriptions to changes were refused. */
  get refusals(): readonly string[] {
    return this.subscriptions.refusals;
  }

  get identity(): Identity {
    return this.caller.identity;
  }

  /** Joins the topic. Messages arrive from now on. */
  async open(): Promise<void> {
    const { config } = this.options;
    this.topic = await this.parts.topics.join(this.address, this);
    if (this.isClosed) return this.leave();
    this.presence = new PresenceOfChannel(this.topic, config.presence.key || randomUUID());
    this.watch();
    if (this.options.asked.length > 0) await this.parts.changes.listen(this.address.therapistId, this);
    if (this.isClosed) this.leave();
  }

  /** Sends the messages after a join: the state of subscriptions to changes, and the presences. */
  greet(): void {
    const { asked, config } = this.options;
    if (asked.length > 0) this.tellSubscribed();
    if (config.broadcast.replicationReady) this.system('system', 'ok', 'Replication connection established');
    if (config.presence.enabled) this.topic?.inTurn(this.tellingState());
  }

  /** Replaces the token of the client. The last token counts, even if the check of an earlier one takes longer. */
  async setToken(token: string): Promise<void> {
    const request = withToken(token, this.options.origin);
    this.latest = request;
    if (this.caller.isOf(request)) return;
    const isAwaited = (): boolean => !this.isClosed && this.latest === request;
    const caller = await Caller.whenChecked(this.parts.authentication, request, isAwaited);
    if (!isAwaited()) return;
    if ('code' in caller) return this.end(reasonOf(caller));
    if (caller.identity.therapistId !== this.address.therapistId)
      return this.end('The token is for another practice; join the channel again');
    this.caller.stop();
    this.caller = caller;
    this.watch();
    this.subscribeAgain(caller.identity);
  }

  /**
   * Sends a broadcast of the client to the other clients.
   * @returns an error for the client
   */
  broadcast(broadcast: Broadcast): string | undefined {
    if (!maySend(this.caller.identity)) return reasonOf(scopeMissing);
    const isTaken =
      this.topic?.broadcast(broadcast, this.options.config.broadcast.self ? null : this) ?? true;
    if (!isTaken) this.end(tooManyBytes);
    return isTaken ? undefined : tooManyBytes;
  }

  /** Whether the client requests acknowledgements of its broadcasts. */
  get acknowledges(): boolean {
    return this.options.config.broadcast.ack;
  }

  /**
   * Handles a message about presence.
   * @returns an error for the client
   */
  changePresence(payload: unknown): string | undefined {
    return maySend(this.caller.identity) ? this.presence?.handle(payload) : reasonOf(scopeMissing);
  }

  /** Ends the channel from the side of the server, with a reason. */
  end(reason: string): void {
    if (this.isClosed) return;
    this.system('system', 'error', reason);
    this.close();
    this.options.output.closed();
  }

  /** Ends the channel because the client has left. */
  close(): void {
    this.isClosed = true;
    this.caller.stop();
    this.leave();
  }

  receive(broadcast: SharedMessage): void {
    this.options.output.share(broadcast);
  }

  presenceChanged(diff: SharedMessage): void {
    if (this.options.config.presence.enabled) this.options.output.share(diff);
  }

  missedBroadcasts(): void {
    this.system('broadcast', 'error', `${tooManyBytes}: broadcasts were missed`);
  }

  hears(resource: Resource): boolean {
    return this.subscriptions.hears(resource);
  }

  *changed(change: RecordChange): Generator<void, number> {
    const { subscriptions } = this;
    const messages = yield* subscriptions.messages(change);
    // The role has changed in the meantime.
    if (subscriptions !== this.subscriptions) return yield* this.changed(change);
    if (this.isClosed) return 0;
    let bytes = 0;
    for (const { ids, data } of messages) {
      bytes += data.length;
      this.options.output.push(EVENTS.postgresChanges, `{"ids":${JSON.stringify(ids)},"data":${data}}`);
    }
    return bytes;
  }

  missed(whose: string): void {
    this.system('postgres_changes', 'error', `Changes of ${whose} were missed`);
  }

  /** The address of the topic. Its practice is the practice of the token. */
  private get address(): TopicAddress {
    return { therapistId: this.caller.identity.therapistId, name: this.options.name };
  }

  private *tellingState(): Generator<void, void> {
    if (!this.isClosed && this.topic !== undefined)
      this.options.output.push(EVENTS.presenceState, JSON.stringify(this.topic.state));
  }

  private leave(): void {
    this.presence?.close();
    this.parts.topics.leave(this.address, this);
    this.parts.changes.leave(this.address.therapistId, this);
  }

  private watch(): void {
    this.caller.watch({
      ended: (problem: Problem) => this.end(reasonOf(problem)),
      changed: (identity) => this.subscribeAgain(identity),
      failed: (error) => {
        this.options.output.failed(error);
        this.end('UnknownErrorOnChannel: Unknown Error on Channel');
      },
    });
  }

  private subscribeAgain(identity: Identity): void {
    const { asked } = this.options;
    this.subscriptions = new ChangeSubscriptions(asked, identity);
    if (asked.length > 0) this.tellSubscribed();
  }

  private tellSubscribed(): void {
    for (const refusal of this.refusals) this.system('postgres_changes', 'error', refusal);
    if (!this.subscriptions.isEmpty) this.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL');
  }

  private system(extension: string, status: 'ok' | 'error', message: string): void {
    const { output, name } = this.options;
    output.push(EVENTS.system, JSON.stringify({ extension, status, message, channel: name }));
  }
}

const withToken = (token: string, { ip, id }: Origin): BearerRequest => ({
  ...{ method: 'GET', ip, id },
  headers: { authorization: `Bearer ${token}` },
});
