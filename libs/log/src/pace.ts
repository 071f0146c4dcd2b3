// When the relay works, and when it rests.

const POLL_EVERY_MS = 1_000;
/** Under load, one read of the outbox includes the commits of the next few milliseconds. */
const GATHER_MS = 20;

export class Pace {
  /** Whether a comparison with the stream was requested. */
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

  /** Rests until it is woken, and a little longer to gather commits, or for a second. @returns whether it was woken */
  async idle(): Promise<boolean> {
    if (!this.isWoken && !this.isStopped) await this.rest(POLL_EVERY_MS);
    const { isWoken } = this;
    if (isWoken && !this.isStopped) await this.rest(GATHER_MS);
    this.isWoken = false;
    return isWoken;
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
