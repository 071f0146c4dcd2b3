/** Work that is done again and again, and never twice at the same time. */
export class Recurring {
  private timer: NodeJS.Timeout | undefined;
  private isAtWork = false;
  private isDue = false;

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
    this.isDue = false;
  }

  /** Does the work now, unless it is being done. */
  async once(): Promise<void> {
    if (this.isAtWork) return;
    this.isAtWork = true;
    do {
      this.isDue = false;
      await this.work().catch(this.options.onError);
    } while (this.isDue);
    this.isAtWork = false;
  }

  /** Does the work now. If it is being done, it is done once more later, since it may have begun too early. */
  again(): Promise<void> {
    this.isDue = true;
    return this.once();
  }
}
