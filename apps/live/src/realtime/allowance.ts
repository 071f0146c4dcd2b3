// The share of one practice in the memory and the bandwidth of this process. Clients that have not joined a channel yet share one
// allowance per address, because their practices are not known.

import { oncePer, processTime } from '@practice/core';
import { practiceLimits as most, PROCESS_BACKLOG_BYTES } from './limits.js';

/** A group over its bound is reduced to this share of the bound, so that it is rarely searched. */
const RELIEVED = 0.75;

/** A socket with bytes that wait for its client. */
export interface Receiver {
  readonly waitingBytes: number;
  /** Ends the connection, and drops the waiting bytes. */
  cut(): void;
}

/** The bytes that wait for the clients of a group of sockets. Beyond the bound, the slowest clients are cut. */
export class Backlog {
  /** Waiting bytes of each receiver at the time of its last message. Since then, the number can only have decreased. */
  private readonly known = new Map<Receiver, number>();
  private total = 0;

  constructor(private readonly most: number) {}

  /** Updates the count. Call it after each message to a receiver. */
  note(receiver: Receiver): void {
    this.set(receiver, receiver.waitingBytes);
    if (this.total > this.most) this.relieve();
  }

  /** Forgets a receiver whose connection has ended, or that now belongs to another group. */
  forget(receiver: Receiver): void {
    this.set(receiver, 0);
  }

  private set(receiver: Receiver, bytes: number): void {
    this.total += bytes - (this.known.get(receiver) ?? 0);
    if (bytes === 0) this.known.delete(receiver);
    else this.known.set(receiver, bytes);
  }

  private relieve(): void {
    for (const receiver of [...this.known.keys()]) this.set(receiver, receiver.waitingBytes);
    const slowestFirst = [...this.known].sort(([, one], [, other]) => other - one);
    for (const [receiver] of slowestFirst) {
      if (this.total <= RELIEVED * this.most) return;
      this.forget(receiver);
      receiver.cut();
    }
  }
}

/** A token bucket that counts messages or bytes. It is refilled over time. */
export class Rate {
  private left: number;

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    private at = performance.now(),
  ) {
    this.left = burst;
  }

  /** Takes an amount if that much is left. @returns whether it was taken */
  take(amount: number, now = performance.now()): boolean {
    this.refill(now);
    if (this.left < amount) return false;
    this.left -= amount;
    return true;
  }

  /** Takes an amount, even if less is left. @returns the milliseconds until the debt is refilled */
  borrow(amount: number, now = performance.now()): number {
    this.refill(now);
    this.left -= amount;
    return Math.max(0, (-this.left / this.perSecond) * 1000);
  }

  /** Whether the bucket is full, as a new one is. */
  isFull(now = performance.now()): boolean {
    this.refill(now);
    return this.left === this.burst;
  }

  private refill(now: number): void {
    this.left = Math.min(this.burst, this.left + ((now - this.at) / 1000) * this.perSecond);
    this.at = now;
  }
}

const rate = (): Rate => new Rate(most.bytesPerSecond, most.burstBytes);

export class Allowance {
  /** Bytes of messages from clients. */
  readonly received = rate();
  /** Bytes of broadcasts to clients: the bytes of a message for each of its receivers. */
  readonly broadcast = rate();
  /** Bytes of changes to clients. */
  readonly changes = rate();
  readonly joins = new Rate(most.joinsPerSecond, 10 * most.joinsPerSecond);
  readonly backlog = new Backlog(most.backlogBytes);
  channels = 0;
  presences = 0;
  /** Bytes of JSON of subscriptions to changes. */
  subscriptionBytes = 0;
  private readonly socketsOf = new Map<string, number>();
  private sockets = 0;
  /** Bytes of messages of the bus that wait for their turn. */
  private queuedBytes = 0;

  /** @param payer the key of the practice or the address, which shares the time of the process with others */
  constructor(private readonly payer: string) {}

  /** Whether a member may have one more socket. */
  hasRoomFor(member: string): boolean {
    return this.sockets < most.sockets && (this.socketsOf.get(member) ?? 0) < most.socketsOfMember;
  }

  /** Counts a socket of a member. @returns a function that removes it from the count */
  enter(member: string): () => void {
    const count = (by: number): void => {
      this.sockets += by;
      const left = (this.socketsOf.get(member) ?? 0) + by;
      if (left > 0) this.socketsOf.set(member, left);
      else this.socketsOf.delete(member);
    };
    count(1);
    return () => count(-1);
  }

  /** Runs the steps of work in the practice's turns. @returns the result of the steps */
  inTurn<T>(steps: Iterator<unknown, T>): Promise<T> {
    return processTime.run({ therapistId: this.payer }, steps);
  }

  /** Takes a message of the bus in the practice's turn. @returns undefined if too many bytes wait, and the message is dropped */
  queue({ length }: Uint8Array, take: () => void): Promise<void> | undefined {
    if (this.queuedBytes + length > most.queuedBytes) return undefined;
    this.queuedBytes += length;
    const taking = (): void => {
      this.queuedBytes -= length;
      take();
    };
    return this.inTurn(single(taking));
  }

  /** Whether nothing is in use, as in a new allowance. */
  isUnused(now: number): boolean {
    const counts = this.sockets + this.channels + this.queuedBytes;
    return (
      counts === 0 &&
      [this.received, this.broadcast, this.changes, this.joins].every((each) => each.isFull(now))
    );
  }
}

/** Makes work of one step. */
export function* single<T>(work: () => T): Generator<void, T> {
  return work();
}

/** The allowances of this process. */
export class Allowances {
  /** Bytes that wait for all clients of the process. */
  readonly backlog = new Backlog(PROCESS_BACKLOG_BYTES);
  private readonly known = new Map<string, Allowance>();
  private readonly of = oncePer(this.known, (key: string) => new Allowance(key));

  ofPractice(therapistId: string): Allowance {
    return this.of(therapistId);
  }

  /** The allowance of clients that have not joined a channel yet. */
  ofAddress(ip: string): Allowance {
    return this.of(`address ${ip}`);
  }

  /** Forgets allowances that are not used. */
  sweep(now: number): void {
    for (const [key, allowance] of this.known) if (allowance.isUnused(now)) this.known.delete(key);
  }
}
