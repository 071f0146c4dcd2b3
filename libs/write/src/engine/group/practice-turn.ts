import { processTime, type Payer, type Steps } from '@practice/core';
import type { Acting, TextRow } from '@practice/log';
import type { Transaction } from '@practice/storage';
import { requireOpen } from '../closed-practice.js';
import { isOfOther, replayOf, shareIdempotency } from '../idempotency.js';
import { checkKept, checkSpace } from '../quota.js';
import type { Attempt, Step, Stored } from './attempt.js';
import type { Grouped, Outcome } from './member.js';
import type { Load } from './resumable.js';
import type { PracticeView } from './practice-view.js';
import { idempotencyLoads, idempotencyRows } from './questions.js';
import { RunningAttempt } from './running-attempt.js';

/** A member of a group in the transaction, with its attempt. */
export interface Participant {
  readonly index: number;
  readonly member: Grouped<unknown>;
  readonly attempt: Attempt<unknown>;
}

/** The members of a group that write to one practice: they are decided one after another, each on the results of the writes before it. */
export class PracticeWrites {
  private undecided: { readonly participant: Participant; running: RunningAttempt }[];
  readonly stored: { readonly participant: Participant; readonly step: Stored<unknown> }[] = [];
  /** How many writes have changed the practice so far. */
  private changes = 0;

  constructor(
    readonly view: PracticeView,
    readonly participants: readonly Participant[],
    private readonly outcomes: Map<number, Outcome>,
  ) {
    this.undecided = participants.map((participant) => ({ participant, running: this.begin(participant) }));
  }

  /** The practice and the role in which all members write to it. */
  get acting(): Acting {
    const [role, ...others] = new Set(this.participants.map(({ member }) => member.writer));
    if (role === undefined || others.length > 0) throw new Error('a group writes to a practice in one role');
    return { therapistId: this.view.log.therapistId, role };
  }

  /** The payer of the decisions. A single write ends when its caller no longer waits. Several writes may have different callers. */
  get payer(): Payer {
    const { therapistId } = this.view.log;
    const [only, ...others] = this.participants;
    if (only === undefined || others.length > 0 || only.member.batching !== 'none') return { therapistId };
    return { therapistId, deadline: only.member.deadline, gone: only.member.gone };
  }

  get isDecided(): boolean {
    return this.undecided.length === 0;
  }

  /** Ends the writes of a practice whose lock another transaction has. */
  leaveOut(): void {
    for (const { index } of this.participants) this.outcomes.set(index, { kind: 'lock not acquired' });
    this.undecided = [];
  }

  /** To be called once everything that its members wait for is loaded. */
  resume(): void {
    for (const { running } of this.undecided) if (running.loads.length > 0) running.resume();
  }

  /** Runs all attempts until they wait. */
  *prefetch(): Steps<void> {
    for (const { running } of this.undecided) yield* running.advance();
  }

  /** Decides as many members as the loaded values allow, in order, and prefetches for the others. */
  *decide(): Steps<void> {
    for (;;) {
      const [next] = this.undecided;
      if (next === undefined) return;
      if (!(yield* this.settle(next))) return yield* this.prefetch();
      this.undecided.shift();
    }
  }

  /** The values that its members wait for, and idempotency records until the practice is locked. */
  get loads(): Load[] {
    const loads = this.undecided.flatMap(({ running }) => running.loads);
    return unique(this.view.isLocked ? loads : [...this.loadsWithLock(), ...loads]);
  }

  private loadsWithLock(): Load[] {
    return this.participants.flatMap(({ member }) => [
      ...(member.repeatable === undefined ? [] : idempotencyLoads(this.view, member.repeatable)),
      ...(member.prefetch?.(this.view) ?? []),
    ]);
  }

  /** Does the work in the transaction that the next member waits for. @returns whether there was any work */
  async work(transaction: Transaction): Promise<boolean> {
    const [next, ...others] = this.undecided;
    const work = next?.running.work;
    if (next === undefined || work === undefined) return false;
    if (others.length > 0 || next.participant.member.batching !== 'none')
      throw new Error('a write that is batched with others works in the transaction');
    await work(transaction);
    next.running.resume();
    return true;
  }

  private begin({ attempt }: Participant): RunningAttempt {
    return new RunningAttempt(attempt.decide(this.view), this.changes);
  }

  /** @returns whether the member is decided; otherwise it waits */
  private *settle(next: { readonly participant: Participant; running: RunningAttempt }): Steps<boolean> {
    const { participant } = next;
    const { index, member } = participant;
    try {
      const step = this.replayOf(member) ?? (yield* this.decisionOf(next));
      if (step === 'waits') return false;
      if (step === 'retry unbatched') this.outcomes.set(index, { kind: 'retry unbatched' });
      else if (step.kind === 'settled') this.outcomes.set(index, { kind: 'value', value: step.value });
      else this.stage(participant, step);
    } catch (error) {
      this.outcomes.set(index, { kind: 'error', error });
    }
    return true;
  }

  private decisionOf(next: { readonly participant: Participant; running: RunningAttempt }) {
    const { participant } = next;
    if (participant.member.requiresOpen === true) requireOpen(this.view.locked.head);
    // A run that began before a change has seen outdated values.
    if (next.running.changes !== this.changes) next.running = this.begin(participant);
    return next.running.decide();
  }

  /** @throws {Rejection} PM005 when the key was used for another request */
  private replayOf({ therapistId, repeatable, replayed }: Grouped<unknown>): Step<unknown> | null {
    if (repeatable === undefined) return null;
    const rows = idempotencyRows(this.view, repeatable);
    const reply = replayOf(repeatable, rows);
    if (reply === null) return null;
    const value = replayed?.(reply);
    if (!isOfOther(repeatable, rows)) return { kind: 'settled', value };
    const after = [shareIdempotency(this.view.log.service, therapistId, repeatable.key)];
    return { kind: 'stored', how: 'COMMIT', after, finish: () => value };
  }

  /**
   * A write without statements of its own is finished at once, because the next write may repeat the same request.
   * @throws {Rejection} PM507 when the practice has reached its quota, or the disk is almost full
   */
  private stage(participant: Participant, step: Stored<unknown>): void {
    const { decided } = step;
    if (decided !== undefined && step.ignoresQuota !== true) checkSpace(this.view.locked, decided);
    if (!hasStatements(step)) this.respond(participant, step, []);
    if (decided !== undefined) this.view.staged.add(decided);
    this.changes += 1;
    this.stored.push({ participant, step });
  }

  /** @param results of the write's own statements */
  finish(participant: Participant, step: Stored<unknown>, results: readonly TextRow[][]): void {
    try {
      this.respond(participant, step, results);
    } catch (error) {
      this.outcomes.set(participant.index, { kind: 'error', error });
      if (step.finishesFirst === true) throw error;
    }
  }

  /** @throws {Rejection} PM507 when there is no space for the response under the key of the request */
  private respond({ index }: Participant, step: Stored<unknown>, results: readonly TextRow[][]): void {
    const value = step.finish(results);
    const record = step.how === 'COMMIT' ? step.idempotencyRecord?.(value) : undefined;
    if (record !== undefined) {
      if (step.keepsAlways !== true) checkKept(this.view.locked, record);
      this.view.idempotency.set(record.key, record);
    }
    this.outcomes.set(index, { kind: 'value', value });
  }
}

/** Several attempts may wait for the same value. */
const unique = (loads: readonly Load[]): Load[] => [
  ...new Map(loads.map((load) => [load.id, load])).values(),
];

export const hasStatements = ({ before = [], after = [] }: Stored<unknown>): boolean =>
  before.length + after.length > 0;

/**
 * Runs the steps of practices in turns, each on its own processor time. Long work for one practice keeps the locks of all, so a
 * write of many records is not batched: see `batchingOf`.
 */
export async function inTurn(
  practices: readonly PracticeWrites[],
  stepsOf: (practice: PracticeWrites) => Steps<void>,
): Promise<void> {
  await Promise.all(practices.map((practice) => processTime.run(practice.payer, stepsOf(practice))));
}
