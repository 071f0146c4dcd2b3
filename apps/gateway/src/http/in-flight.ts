import type { ServerResponse } from 'node:http';

/** Counts the requests that are being answered. More than `most` could not be answered in time. */
export class InFlight {
  private count = 0;
  private readonly leave = (): void => {
    this.count -= 1;
  };

  constructor(private readonly most: number) {}

  /** How many requests are being answered. */
  get size(): number {
    return this.count;
  }

  get isFull(): boolean {
    return this.count >= this.most;
  }

  /** Whether there is room. From then on the request counts, until its answer is out or its caller gone. */
  enter(response: ServerResponse): boolean {
    if (this.isFull) return false;
    // A response that is closed already emits no further `close` event, so it is not counted.
    if (response.destroyed || response.closed) return true;
    this.count += 1;
    response.once('close', this.leave);
    return true;
  }
}
