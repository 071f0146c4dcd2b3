// Divides the time of a process among practices. Node runs one piece of JavaScript at a time, so a long piece of work would stop
// every practice. Here long work is divided into steps, and practices take turns.

import { problemFor, Rejection, type Problem } from './problem.js';

/** The maximum time that all long work of a process takes in one turn of the event loop. */
const SLICE_MS = 5;
/** The share of each elapsed second that is subtracted from the time that a practice has used. */
const FORGIVEN = 0.1;

/** A practice that has recently used no more than this begins at once, and may run this long even if the slice is used up. */
const START_MS = 1;
/** A text of this length is read in a few milliseconds, whatever is in it. */
const SHORT_TEXT = 16 * 1024;

/** The problem of work that has no result: too much work of the practice is waiting, or the caller no longer waits. */
export const busy: Problem = problemFor('PM503', {
  message: 'The service is busy with other requests of this practice',
  headers: { 'Retry-After': '1' },
});

/** Work in steps, which may pause at each `yield`. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps at once, for work that is known to be short. @returns the result of the steps */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Reports whether the caller of a request is gone, as an `AbortSignal` does. */
export interface Gone {
  readonly aborted: boolean;
}

/** The practice that the time of some work counts for, and how long its caller waits. */
export interface Payer {
  readonly therapistId: string;
  /** The time after which the caller no longer waits, in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  readonly gone?: Gone | undefined;
}

interface Work {
  readonly payer: Payer;
  readonly steps: Iterator<unknown, unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The processor time of a process. All long work runs through the single instance, `processTime`.
 *
 * ```ts
 * function* sums(rows: readonly Row[]): Steps<number> {
 *   let sum = 0;
 *   for (const row of rows) {
 *     sum += expensive(row);
 *     yield; // here the work may pause
 *   }
 *   return sum;
 * }
 * const sum = await processTime.run({ therapistId, deadline }, sums(rows));
 * ```
 *
 * Use it for a loop that may take more than 20 ms. A step (the code from one `yield` to the next) should take about a millisecond
 * at most; a `yield` costs less than a microsecond. While nothing else is long, short work ends without any pause.
 */
export class ProcessTime {
  /** The work of each practice that has begun or waits, oldest first. */
  private readonly lines = new Map<string, Work[]>();
  /** The time that each practice has used, as of `at`. The practice that ran most recently is last. */
  private readonly used = new Map<string, { readonly ms: number; readonly at: number }>();
  /** The part of the current slice that is used up. */
  private spent = 0;
  private isRunning = false;
  private isScheduled = false;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now = () => performance.now()) {}

  /**
   * Runs work to its end. After `SLICE_MS` it pauses: the event loop handles what has arrived, and then the practice that has
   * used the least time lately has the next slice. The work of one practice runs in the order of its arrival.
   * @param steps may pause only at `yield`
   * @returns the result of the steps
   * @throws the error of a step. {Rejection} `busy` (PM503) if the deadline has passed or the caller is gone; then the steps end
   *   with `return()`, so their `finally` blocks run
   */
  run<T>(payer: Payer, steps: Iterator<unknown, T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const work: Work = { payer, steps, resolve: resolve as Work['resolve'], reject };
      const line = this.lines.get(payer.therapistId);
      if (line === undefined) this.begin(work);
      else line.push(work);
      this.fill();
    });
  }

  /** Runs the steps that read a text of this length. A short text does not wait for other work of the practice. */
  async read<T>(payer: Payer, length: number, steps: Steps<T>): Promise<T> {
    return length <= SHORT_TEXT ? allSteps(steps) : this.run(payer, steps);
  }

  /** Starts work at once if the practice has used little time. Otherwise long work of others would delay each of its short writes. */
  private begin(work: Work): void {
    const { therapistId } = work.payer;
    this.lines.set(therapistId, [work]);
    if (this.isRunning || this.usedBy(therapistId, this.now()) > START_MS) return;
    this.isRunning = true;
    this.advance(therapistId, Math.max(START_MS, SLICE_MS - this.spent));
    this.isRunning = false;
  }

  /** Runs work until the slice is used up or no work is left. */
  private fill(): void {
    // Work that a step begins waits for its turn like all other work.
    if (this.isRunning) return;
    this.isRunning = true;
    while (this.lines.size > 0 && this.spent < SLICE_MS)
      this.advance(this.nextPractice(), SLICE_MS - this.spent);
    this.isRunning = false;
    if (this.spent === 0 || this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.spent = 0;
      this.fill();
    });
  }

  /** Runs the oldest work of a practice until it ends or has used the time. */
  private advance(practice: string, ms: number): void {
    const line = this.lines.get(practice) as Work[];
    const began = this.now();
    const hasEnded = ended(line[0] as Work, () => this.now() - began >= ms);
    const now = this.now();
    this.charge(practice, now - began, now);
    if (!hasEnded) return;
    line.shift();
    if (line.length === 0) this.lines.delete(practice);
  }

  private nextPractice(): string {
    const [first = '', ...others] = this.lines.keys();
    if (others.length === 0) return first;
    const now = this.now();
    let [next, least] = [first, this.usedBy(first, now)];
    for (const practice of others) {
      const used = this.usedBy(practice, now);
      if (used < least) [next, least] = [practice, used];
    }
    return next;
  }

  private usedBy(practice: string, now: number): number {
    const use = this.used.get(practice);
    return use === undefined ? 0 : Math.max(0, use.ms - (now - use.at) * FORGIVEN);
  }

  private charge(practice: string, ms: number, now: number): void {
    this.spent += ms;
    const used = this.usedBy(practice, now) + ms;
    this.used.delete(practice);
    this.used.set(practice, { ms: used, at: now });
    // The oldest entries come first, so this stops at the first one that still counts.
    for (const known of this.used.keys()) {
      if (this.usedBy(known, now) > 0) return;
      this.used.delete(known);
    }
  }
}

/** Runs steps until the work ends or must pause. @returns whether the work has ended */
function ended({ payer, steps, resolve, reject }: Work, mustPause: () => boolean): boolean {
  try {
    if (!isAwaited(payer)) {
      steps.return?.();
      reject(new Rejection(busy));
      return true;
    }
    do {
      const { done, value } = steps.next();
      if (done === true) {
        resolve(value);
        return true;
      }
    } while (!mustPause());
    return false;
  } catch (error) {
    reject(error);
    return true;
  }
}

const isAwaited = ({ deadline = Infinity, gone }: Payer): boolean =>
  gone?.aborted !== true && deadline >= Date.now();

/** The time of this process. */
export const processTime = new ProcessTime();
