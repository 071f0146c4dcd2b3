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
