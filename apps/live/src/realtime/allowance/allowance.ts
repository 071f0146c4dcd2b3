// The share of one practice in the memory and the bandwidth of this process. Clients of one address that have not joined a channel
// yet have one allowance together, as their practices are not known.

import { practiceLimits as most, PROCESS_BACKLOG_BYTES } from '../limits.js';
import { Backlog } from './backlog.js';
import { Rate } from './rate.js';

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
  /** Bytes of messages of the bus that wait for their turn. */
  queuedBytes = 0;
  private readonly socketsOf = new Map<string, number>();
  private sockets = 0;

  /** @param payer the key of the practice, or of the address, in the time of the process */
  constructor(readonly payer: string) {}

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

  /** Whether nothing is taken, as in a new allowance. */
  isUnused(now: number): boolean {
    const counts = this.sockets + this.channels + this.queuedBytes;
    return (
      counts === 0 &&
      [this.received, this.broadcast, this.changes, this.joins].every((each) => each.isFull(now))
    );
  }
}

/** The allowances of this process. */
export class Allowances {
  /** Bytes that wait for all clients of the process. */
  readonly backlog = new Backlog(PROCESS_BACKLOG_BYTES);
  private readonly known = new Map<string, Allowance>();

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

  private of(key: string): Allowance {
    const allowance = this.known.get(key) ?? new Allowance(key);
    this.known.set(key, allowance);
    return allowance;
  }
}
