import { processTime } from '@practice/core';
import type { Payer, Steps } from '@practice/core';
import type { Acting, TextRow } from '@practice/log';
import { checkSpace } from '../quota.js';
import type { Attempt, Stored } from './attempt.js';
import type { Grouped, Verdict } from './member.js';
import { NeedsOwnTransaction } from './practice-view.js';
import type { PracticeView } from './practice-view.js';

/** A member of a group on its way through the transaction. */
export interface Participant {
  readonly index: number;
  readonly member: Grouped<unknown>;
  readonly attempt: Attempt<unknown>;
}

/** The members of a group that write to one practice: they are decided one after another, each on what those before it did. */
export class PracticeTurn {
  private undecided: readonly Participant[];
  readonly stored: { readonly participant: Participant; readonly step: Stored<unknown> }[] = [];

  constructor(
    readonly view: PracticeView,
    readonly participants: readonly Participant[],
    private readonly verdicts: Map<number, Verdict>,
  ) {
    this.undecided = participants;
  }

  /** The practice and the role in which all members write to it. */
  get acting(): Acting {
    const [role, ...others] = new Set(this.participants.map(({ member }) => member.writer));
    if (role === undefined || others.length > 0) throw new Error('a group writes to a practice in one role');
    return { therapistId: this.view.log.therapistId, role };
  }

  /** Who pays for the decisions. A single write ends when its caller no longer waits; several writes may have different callers. */
  get payer(): Payer {
    const { therapistId } = this.view.log;
    const [only, ...others] = this.participants;
    if (only === undefined || others.length > 0 || only.member.company !== 'none') return { therapistId };
    return { therapistId, deadline: only.member.deadline, gone: only.member.gone };
  }

  get isDecided(): boolean {
    return this.undecided.length === 0;
  }

  /** Ends the turn of a practice that is not locked. */
  hold(): void {
    for (const { index } of this.participants) this.verdicts.set(index, { kind: 'held' });
    this.undecided = [];
  }

  /** Only collects the questions of all members: what they would decide now has no effect. */
  *explore(): Steps<void> {
    for (const { attempt } of this.undecided) yield* this.look(attempt);
  }

  /** Decides as many members as the known answers allow, and collects the questions of the others. */
  *decide(): Steps<void> {
    for (;;) {
      const [next, ...others] = this.undecided;
      if (next === undefined) return;
      if (!(yield* this.settle(next))) {
        for (const { attempt } of others) yield* this.look(attempt);
        return;
      }
      this.undecided = others;
    }
  }

  private *look(attempt: Attempt<unknown>): Steps<void> {
    try {
      yield* attempt.decide(this.view);
    } catch {
      // It is decided again, with all answers and in its turn.
    }
  }

  /** @returns whether the member is decided */
  private *settle(participant: Participant): Steps<boolean> {
    const { index, attempt } = participant;
    try {
      const step = yield* attempt.decide(this.view);
      if (step.kind === 'missing') return false;
      if (step.kind === 'settled') this.verdicts.set(index, { kind: 'value', value: step.value });
      else this.stage(participant, step);
    } catch (error) {
      this.verdicts.set(
        index,
        error instanceof NeedsOwnTransaction ? { kind: 'apart' } : { kind: 'error', error },
      );
    }
    return true;
  }

  /**
   * A write without statements of its own is finished at once: the next one may be the same request again.
   * @throws {Rejection} PM507 when the practice has reached its quota, or the disk is almost full
   */
  private stage(participant: Participant, step: Stored<unknown>): void {
    if (step.decided !== undefined) {
      if (step.isReaction !== true) checkSpace(this.view, step.decided);
      this.view.staged.add(step.decided);
    }
    this.stored.push({ participant, step });
    if (!hasStatements(step)) this.finish(participant, step, []);
  }

  /** @param results of the write's own statements */
  finish({ index }: Participant, step: Stored<unknown>, results: readonly TextRow[][]): void {
    try {
      const value = step.finish(results);
      const answer = step.answerOf?.(value);
      if (answer !== undefined) this.view.kept.set(answer.key, answer);
      this.verdicts.set(index, { kind: 'value', value });
    } catch (error) {
      this.verdicts.set(index, { kind: 'error', error });
      if (step.finishesFirst === true) throw error;
    }
  }
}

export const hasStatements = ({ before = [], after = [] }: Stored<unknown>): boolean =>
  before.length + after.length > 0;

/**
 * Practices take turns, each in its own time. Long work of one holds the locks of all, so a write of many records has no company: see
 * `companyOf`.
 */
export async function inTurn(
  turns: readonly PracticeTurn[],
  stepsOf: (turn: PracticeTurn) => Steps<void>,
): Promise<void> {
  await Promise.all(turns.map((turn) => processTime.run(turn.payer, stepsOf(turn))));
}
