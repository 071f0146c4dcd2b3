const WINDOW_MS = 1000;

/**
 * Counts the practices that have sent a request lately: within one to two windows of a second.
 * Practices whose requests take some milliseconds are seldom under way at the same time, and still share the gateway.
 */
export class RecentlyActive {
  private current = new Set<string>();
  private previous = new Set<string>();
  private endsAt: number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.endsAt = now() + WINDOW_MS;
  }

  add(practice: string): void {
    this.turn();
    this.current.add(practice);
  }

  get count(): number {
    this.turn();
    return Math.max(this.current.size, this.previous.size);
  }

  private turn(): void {
    const now = this.now();
    if (now < this.endsAt) return;
    this.previous = now < this.endsAt + WINDOW_MS ? this.current : new Set();
    this.current = new Set();
    this.endsAt = now + WINDOW_MS;
  }
}
