import type { Steps } from '@practice/core';
import type { Transaction } from '@practice/storage';
import type { Load, Resumable, Wait } from './resumable.js';
import type { Step } from './attempt.js';

type State =
  | { readonly kind: 'may run' }
  | { readonly kind: 'waits'; readonly for: Wait }
  | { readonly kind: 'decided'; readonly step: Step<unknown> }
  | { readonly kind: 'failed'; readonly error: unknown };

/** An attempt that has begun. It runs until it has to wait, and goes on after `resume`. */
export class RunningAttempt {
  private state: State = { kind: 'may run' };
  private hasTurn = false;

  /** @param changes how many writes had changed the practice when it began */
  constructor(
    private readonly steps: Resumable<Step<unknown>>,
    readonly changes: number,
  ) {}

  /** The values that it waits for. They must be loaded before `resume` is called. */
  get loads(): readonly Load[] {
    return this.state.kind === 'waits' && Array.isArray(this.state.for) ? (this.state.for as Load[]) : [];
  }

  /** The work in the transaction that it waits for. */
  get work(): ((transaction: Transaction) => Promise<void>) | undefined {
    return this.state.kind === 'waits' && typeof this.state.for === 'function' ? this.state.for : undefined;
  }

  /** To be called once the values that it waits for are loaded, or the work is done. */
  resume(): void {
    this.state = { kind: 'may run' };
  }

  /** Runs until it waits. An error is kept until the attempt has its turn. */
  *advance(): Steps<void> {
    while (this.state.kind === 'may run') {
      const next = this.next();
      if (next === undefined) yield;
      else this.state = next;
    }
  }

  /**
   * Runs in its turn.
   * @throws {Rejection} when the write is refused
   */
  *decide(): Steps<Step<unknown> | 'waits' | 'retry unbatched'> {
    this.hasTurn = true;
    if (this.state.kind === 'waits' && this.state.for === 'turn') this.state = { kind: 'may run' };
    yield* this.advance();
    switch (this.state.kind) {
      case 'decided':
        return this.state.step;
      case 'failed':
        throw this.state.error;
      default:
        return this.state.kind === 'waits' && this.state.for === 'retry unbatched' ? this.state.for : 'waits';
    }
  }

  /** The state after the next step; undefined if it may run on. */
  private next(): State | undefined {
    try {
      const { done, value } = this.steps.next();
      if (done === true) return { kind: 'decided', step: value };
      const mayRunOn = value === undefined || (value === 'turn' && this.hasTurn);
      return mayRunOn ? undefined : { kind: 'waits', for: value };
    } catch (error) {
      return { kind: 'failed', error };
    }
  }
}
