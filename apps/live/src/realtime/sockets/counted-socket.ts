// A socket, as far as it takes of an allowance: that of its address until it has joined a channel, then that of the practice of the
// member who joined last.

import type { WebSocket } from 'ws';
import type { Allowance, Allowances } from '../allowance/allowance.js';
import type { Receiver } from '../allowance/backlog.js';
import { limits } from '../limits.js';
import type { Encoded } from '../protocol/shared-message.js';

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

  /** Clients that do not read are cut: what waits for them would take memory without end. */
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
