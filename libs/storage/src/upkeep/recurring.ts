/** Work that is done again and again, and never twice at the same time. */
export class Recurring {
  private timer: NodeJS.Timeout | undefined;
  private isAtWork = false;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly options: {
      readonly everyMs: number;
      /** Called when the work has failed. It is tried again. */
      readonly onError: (err: unknown) => void;
    },
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.once(), this.options.everyMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Does the work now, unless it is being done. */
  async once(): Promise<void> {
    if (this.isAtWork) return;
    this.isAtWork = true;
    await this.work().catch(this.options.onError);
    this.isAtWork = false;
  }
}
