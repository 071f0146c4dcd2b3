// When the relay works, and when it rests.

const POLL_EVERY_MS = 200;
/** Under load, one read of the outbox includes the commits of the next few milliseconds. */
const GATHER_MS = 20;

export class Pace {
  /** A comparison with the stream was asked for. */
  isComparing = false;
  isStopped = false;
  private isWoken = false;
  private wakeUp: (() => void) | undefined;

  wake(): void {
    if (this.isWoken) return;
    this.isWoken = true;
    this.wakeUp?.();
  }

  stop(): void {
    this.isStopped = true;
    this.wakeUp?.();
  }

  /** Rests until it is woken, but no longer than a fifth of a second. */
  async idle(): Promise<void> {
    if (!this.isWoken && !this.isStopped) await this.rest(POLL_EVERY_MS);
    if (!this.isStopped) await this.rest(GATHER_MS);
    this.isWoken = false;
  }

  rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
