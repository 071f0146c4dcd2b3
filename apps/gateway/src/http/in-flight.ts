import type { ServerResponse } from 'node:http';

/** Counts the requests that are being answered; one more than `most` is none that could be answered in time. */
export class InFlight {
  private count = 0;
  private readonly leave = (): void => {
    this.count -= 1;
  };

  constructor(private readonly most: number) {}

  /** Whether there is room. From then on the request counts, until its answer is out or its caller gone. */
  enter(response: ServerResponse): boolean {
    if (this.count >= this.most) return false;
    // Of one that is closed already, nothing would tell that it is over.
    if (response.destroyed || response.closed) return true;
    this.count += 1;
    response.once('close', this.leave);
    return true;
  }
}
