// The share of one practice in the memory and the bandwidth of this process. Clients of one address that have not joined a channel
// yet have one allowance together, as their practices are not known.

import { oncePer, processTime } from '@practice/core';
import { practiceLimits as most, PROCESS_BACKLOG_BYTES } from './limits.js';

/** The share of the bound to which a group is brought back, so that it is looked through rarely. */
const RELIEVED = 0.75;

/** A socket, as far as bytes wait for its client. */
export interface Receiver {
  readonly waitingBytes: number;
  /** Ends the connection, and drops what waits. */
  cut(): void;
}

/** The bytes that wait for the clients of a group of sockets. Beyond the bound, the slowest clients are cut. */
export class Backlog {
  /** Waiting bytes of each receiver, as of its last message. They can only have become less since. */
  private readonly known = new Map<Receiver, number>();
  private total = 0;

  constructor(private readonly most: number) {}

  /** To be called after each message to a receiver. */
  note(receiver: Receiver): void {
    this.set(receiver, receiver.waitingBytes);
    if (this.total > this.most) this.relieve();
  }

  /** Forgets a receiver whose connection has ended, or that is of another group now. */
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

/** Counts messages or bytes: a bucket that is refilled with time. */
export class Rate {
  private left: number;

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    private at = performance.now(),
  ) {
    this.left = burst;
  }

  /** Takes an amount if there is as much. @returns whether it was taken */
  take(amount: number, now = performance.now()): boolean {
    this.refill(now);
    if (this.left < amount) return false;
    this.left -= amount;
    return true;
  }

  /** Takes an amount, also of the future. @returns the milliseconds until it is paid back */
  borrow(amount: number, now = performance.now()): number {
    this.refill(now);
    this.left -= amount;
    return Math.max(0, (-this.left / this.perSecond) * 1000);
  }

  /** Whether nothing is missing, as in a new bucket. */
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

  /** @param payer the key of the practice, or of the address, in the time of the process */
  constructor(private readonly payer: string) {}

  /** Whether a member may have one more socket. */
  hasRoomFor(member: string): boolean {
    return this.sockets < most.sockets && (this.socketsOf.get(member) ?? 0) < most.socketsOfMember;
  }

  /** Counts a socket of a member. @returns a function that ends the count */
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

  /** Does work in steps in its turn. @returns what the steps return */
  inTurn<T>(steps: Iterator<unknown, T>): Promise<T> {
    return processTime.run({ therapistId: this.payer }, steps);
  }

  /** Takes a message of the bus in its turn; undefined if too many bytes wait, so that it is missed. */
  queue({ length }: Uint8Array, take: () => void): Promise<void> | undefined {
    if (this.queuedBytes + length > most.queuedBytes) return undefined;
    this.queuedBytes += length;
    const taking = (): void => {
      this.queuedBytes -= length;
      take();
    };
    return this.inTurn(single(taking));
  }

  /** Whether nothing is taken, as in a new allowance. */
  isUnused(now: number): boolean {
    const counts = this.sockets + this.channels + this.queuedBytes;
    return (
      counts === 0 &&
      [this.received, this.broadcast, this.changes, this.joins].every((each) => each.isFull(now))
    );
  }
}

/** Work of one step. */
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
