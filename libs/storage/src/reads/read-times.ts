// The time that reads may take in Postgres. Most reads take less than a millisecond and share connections. A practice whose reads
// take longer gets no shared connection for a while, and has a budget of time.

/** A read that takes longer on a shared connection is cancelled there and repeated on the connection for slow reads. */
export const QUICK_MS = 40;
/** How long a practice gets no shared connection, as a multiple of the time of its slow read. */
const AWAY = 10;
const LONGEST_AWAY_MS = 10_000;

/** The part of a read's time beyond this is taken from the practice's budget. A shorter read may only be slow because the machine is busy. */
const FREE_MS = 250;
/** The time that a practice may use at once, and the share of each second that is added to it. */
const BUDGET_MS = 3_000;
const REFILL = 0.15;

interface Pace {
  awayUntil: number;
  /** The time used of the budget, as of `at`. */
  used: number;
  at: number;
}

/** The cost of each practice's slow reads. Practices without slow reads take no memory. */
export class ReadTimes {
  private readonly paces = new Map<string, Pace>();

  /** Whether the practice's reads belong on the connection for slow reads. */
  isSlow(practice: string, now: number): boolean {
    return (this.paces.get(practice)?.awayUntil ?? 0) > now;
  }

  /** Milliseconds until the practice may run another slow read; 0 if it may now. */
  remainingMs(practice: string, now: number): number {
    const pace = this.paces.get(practice);
    return pace === undefined ? 0 : Math.max(0, (usedAt(pace, now) - BUDGET_MS) / REFILL);
  }

  /** Notes a read that took `ms`. */
  note(practice: string, ms: number, now: number): void {
    if (ms < QUICK_MS) return;
    const pace = this.paces.get(practice);
    this.paces.delete(practice);
    this.paces.set(practice, {
      awayUntil: now + Math.min(ms * AWAY, LONGEST_AWAY_MS),
      used: (pace === undefined ? 0 : usedAt(pace, now)) + Math.max(0, ms - FREE_MS),
      at: now,
    });
    this.forget(now);
  }

  /** The oldest entries come first, so this stops at the first one that still counts. */
  private forget(now: number): void {
    for (const [practice, pace] of this.paces) {
      if (pace.awayUntil > now || usedAt(pace, now) > 0) return;
      this.paces.delete(practice);
    }
  }
}

const usedAt = ({ used, at }: Pace, now: number): number => Math.max(0, used - (now - at) * REFILL);
