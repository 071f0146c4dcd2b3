// The use of an allowance by a socket. Until the socket has joined a channel, it uses the allowance of its address; then, the
// allowance of the practice whose member joined last.

import { allSteps, type Steps } from '@practice/core';
import type { WebSocket } from 'ws';
import { type Allowance, type Allowances, Rate, type Receiver } from '../allowance.js';
import { limits, practiceLimits } from '../limits.js';
import type { JoinConfig } from '../protocol/message.js';
import type { Encoded } from '../protocol/serializer.js';

export class CountedSocket implements Receiver {
  private current: Allowance;
  private member: string | undefined;
  private stopCounting = (): void => undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly allowances: Allowances,
    ip: string,
  ) {
    this.current = allowances.ofAddress(ip);
    socket.on('close', () => this.end());
  }

  get allowance(): Allowance {
    return this.current;
  }

  get waitingBytes(): number {
    return this.socket.bufferedAmount;
  }

  /** Whether the socket counts for a member. */
  countsFor(allowance: Allowance, member: string): boolean {
    return this.current === allowance && this.member === member;
  }

  countFor(allowance: Allowance, member: string): void {
    if (this.countsFor(allowance, member)) return;
    this.end();
    this.current = allowance;
    this.member = member;
    this.stopCounting = allowance.enter(member);
  }

  /** Sends a message. Clients that do not read are cut: the bytes that wait for them would take memory without limit. */
  send({ bytes, isBinary }: Encoded): void {
    const { socket, allowances, current } = this;
    if (socket.readyState !== socket.OPEN) return;
    socket.send(bytes, { binary: isBinary });
    if (this.waitingBytes > limits.backlogBytes) return this.cut();
    for (const backlog of [current.backlog, allowances.backlog]) backlog.note(this);
  }

  cut(): void {
    this.socket.terminate();
  }

  private end(): void {
    this.stopCounting();
    this.stopCounting = () => undefined;
    for (const backlog of [this.current.backlog, this.allowances.backlog]) backlog.forget(this);
  }
}

// The messages of one client. A large message waits for the turn of its practice, and the client waits with it.

interface InboxOptions {
  readonly socket: WebSocket;
  readonly counted: CountedSocket;
  readonly take: (data: Buffer, isBinary: boolean) => Steps<void>;
  /** Called instead of `take` when the client sends too much. */
  readonly refuse: (of: 'messages' | 'bytes') => void;
  readonly failed: (error: unknown) => void;
}

/** A message up to this size is taken at once: a heartbeat of one practice does not wait for the work of another practice. */
const SMALL_BYTES = 4 * 1024;

export class Inbox {
  private readonly rate = new Rate(limits.messagesPerSecond, 2 * limits.messagesPerSecond);
  /** Messages that wait for their turn. */
  private waiting = 0;

  constructor(private readonly options: InboxOptions) {}

  receive(data: Buffer, isBinary: boolean): void {
    const { socket, counted, take, refuse, failed } = this.options;
    const now = performance.now();
    if (!this.rate.take(1, now)) return refuse('messages');
    const { allowance } = counted;
    if (!allowance.received.take(data.length, now)) return refuse('bytes');
    if (data.length <= SMALL_BYTES && this.waiting === 0) return allSteps(take(data, isBinary));
    this.waiting += 1;
    socket.pause();
    const done = (): void => {
      this.waiting -= 1;
      if (this.waiting === 0) socket.resume();
    };
    allowance.inTurn(take(data, isBinary)).catch(failed).finally(done);
  }
}

/**
 * The reason to refuse a join of any caller; undefined if there is no reason.
 * @param others the number of other channels of the socket
 */
export function joinRefusal(name: string, config: JoinConfig, others: number): string | undefined {
  if (name.length > limits.channelName) return 'TopicNameTooLong: The name of the channel is too long';
  if (others >= limits.channels) return 'ChannelRateLimitReached: Too many channels';
  if (config.changes.length > limits.subscriptions)
    return 'InvalidJoinPayload: Too many subscriptions to changes';
  if (config.presence.key.length > limits.presenceKey)
    return 'InvalidJoinPayload: The presence key is too long';
  return undefined;
}

/**
 * The reason to refuse a join because of the other joins of the practice; undefined if there is no reason.
 * @param member the member, if the socket does not count for the member yet
 */
export function practiceRefusal(
  allowance: Allowance,
  member: string | undefined,
  subscriptionBytes: number,
): string | undefined {
  if (member !== undefined && !allowance.hasRoomFor(member))
    return 'ConnectionRateLimitReached: Too many connected users';
  if (!allowance.joins.take(1)) return 'ClientJoinRateLimitReached: Too many joins per second';
  if (allowance.channels >= practiceLimits.channels)
    return 'ChannelRateLimitReached: Too many channels in the practice';
  if (allowance.subscriptionBytes + subscriptionBytes > practiceLimits.subscriptionBytes)
    return 'ChannelRateLimitReached: Too many subscriptions to changes in the practice';
  return undefined;
}
