// The durations of a request, as the header Server-Timing shows them.

/** `auth` is the time before the body is read, `receive` the body; the others are the three steps of the pipeline. */
type Phase = 'auth' | 'receive' | 'parse' | 'queue' | 'service';

export class Timings {
  private readonly phases: string[] = [];
  private last: number;

  /** @param arrivedAt a time of `performance.now()`, like the other times */
  constructor(private readonly arrivedAt: number) {
    this.last = arrivedAt;
  }

  /** Ends a phase, which began when the phase before it ended. */
  end(phase: Phase, now = performance.now()): void {
    this.phases.push(entry(phase, now - this.last));
    this.last = now;
  }

  /** The value of `Server-Timing`. */
  toString(now = performance.now()): string {
    return [...this.phases, entry('total', now - this.arrivedAt)].join(', ');
  }
}

/** Milliseconds with one digit after the point, as PostgREST shows them. */
const entry = (name: string, ms: number): string => `${name};dur=${ms.toFixed(1)}`;

/**
 * The headers as names and values in turn. `Timing-Allow-Origin` lets the browser's Performance API show them to a page.
 * @param origin that may read the response
 */
export const timingHeaders = (timings: Timings, origin: string | undefined): string[] => [
  'Server-Timing',
  timings.toString(),
  ...(origin === undefined ? [] : ['Timing-Allow-Origin', origin]),
];
