// The transaction of a group of writes: the practices are locked by one statement, the writes of each practice are decided one
// after another, and everything that they decided is stored by one statement of each kind.

import { busy, processTime, reject, Rejection } from '@practice/core';
import { actToWrite, asSystem } from '@practice/log';
import type { Acting, Statement, TextRow } from '@practice/log';
import {
  addAccesses,
  isCancelled,
  isDatabaseUnavailable,
  isDiskFull,
  inTransaction,
} from '@practice/storage';
import type { TenantDatabase, Scope, Transaction } from '@practice/storage';
import { rememberAnswers } from '../idempotency.js';
import type { KeptAnswer } from '../idempotency.js';
import { claimKeys } from '../in-flight-duplicates.js';
import { timeLeft } from '../time-left.js';
import type { Stored } from './attempt.js';
import { flushOf } from './flush.js';
import type { Flush } from './flush.js';
import { loadingOf } from './load.js';
import type { Loading } from './load.js';
import { begun } from './member.js';
import type { Begun, Grouped, Verdict } from './member.js';
import { hasStatements, inTurn, PracticeTurn } from './practice-turn.js';
import type { Participant } from './practice-turn.js';
import { PracticeView } from './practice-view.js';

/**
 * Carries out a group of writes.
 * @param waiting whether it waits for a practice that another transaction holds; only a group of one practice may
 * @returns a verdict for each member, once the transaction has ended: a refusal may follow from what another member decided. If
 *   the database refuses, the verdict of every member of a larger group is `apart`.
 */
export async function runGroup(
  database: TenantDatabase,
  members: readonly Grouped<unknown>[],
  waiting: Scope['waiting'],
): Promise<readonly Verdict[]> {
  const group = new Group(database, await begun(members));
  const { writers, timeLeft: statementMs } = group;
  const scope = { service: database.service, writers, waiting, statementMs };
  if (writers.length > 0)
    await inTransaction(database.writes, scope, (transaction) => group.run(transaction)).catch(
      (error: unknown) => group.fail(error, waiting),
    );
  return group.verdicts;
}

class Group {
  private readonly decided = new Map<number, Verdict>();
  private readonly turns: readonly PracticeTurn[];
  private hasLocked = false;

  constructor(
    private readonly database: Pick<
      TenantDatabase,
      'service' | 'reading' | 'quotaBytes' | 'personalKeys' | 'disk'
    >,
    private readonly given: Begun,
  ) {
    this.turns = this.turnsOf(given);
  }

  private get service(): string {
    return this.database.service;
  }

  get writers(): Acting[] {
    return this.turns.map(({ acting }) => acting);
  }

  /** The time of the member that has the least left, in milliseconds; undefined if no caller waits. */
  get timeLeft(): number | undefined {
    const left = Math.min(...this.participants.map(({ member: { deadline } }) => timeLeft(deadline)));
    return left === Infinity ? undefined : Math.max(1, left);
  }

  get verdicts(): Verdict[] {
    return this.given.members.map((_, index) => this.decided.get(index) ?? { kind: 'apart' });
  }

  async run(transaction: Transaction): Promise<void> {
    await inTurn(this.turns, (turn) => turn.explore());
    const begun = this.loading();
    await this.learn(begun, await transaction.begin(begun.statements, this.setup));
    this.hasLocked = true;
    this.keepLocked(transaction);
    const turns = this.turns.filter((turn) => !turn.isDecided);
    for (;;) {
      await inTurn(turns, (turn) => turn.decide());
      if (turns.every(({ isDecided }) => isDecided)) break;
      const loading = this.loading();
      if (loading.statements.length === 0) throw new Error('a write asks for nothing, but is not decided');
      await this.learn(loading, await transaction.load(loading.statements));
    }
    await this.store(transaction);
  }

  /** The verdicts after an error: a single write gets it, and so does everyone if nothing can be done about it. */
  fail(error: unknown, waiting: Scope['waiting']): void {
    const participants = this.participants.filter(({ index }) => this.decided.get(index)?.kind !== 'held');
    const isFinal =
      participants.length === 1 ||
      isDatabaseUnavailable(error) ||
      isDiskFull(error) ||
      (waiting === 'wait' && !this.hasLocked);
    const [only] = participants.length === 1 ? this.stored : [];
    const verdict: Verdict = isFinal
      ? { kind: 'error', error: this.isLate(error) ? new Rejection(busy) : explained(error, only?.step) }
      : { kind: 'apart' };
    for (const { index } of participants) this.decided.set(index, verdict);
  }

  /** Whether a statement was cancelled because the time of the write is over. */
  private isLate(error: unknown): boolean {
    return isCancelled(error) && this.timeLeft === 1;
  }

  private get participants(): Participant[] {
    return this.turns.flatMap(({ participants }) => participants);
  }

  private get stored(): { readonly participant: Participant; readonly step: Stored<unknown> }[] {
    return this.turns.flatMap(({ stored }) => stored);
  }

  private get setup() {
    const members = this.participants.map(({ member }) => member);
    const claims = members.flatMap(({ therapistId, claims: key }) =>
      key === undefined ? [] : [{ therapistId, key }],
    );
    return [
      ...members.flatMap(({ setup = [] }) => setup),
      ...(claims.length === 0 ? [] : [claimKeys(claims)]),
    ];
  }

  private turnsOf({ members, attempts, now }: Begun): PracticeTurn[] {
    const byPractice = new Map<string, Participant[]>();
    for (const [index, member] of members.entries()) {
      const attempt = attempts[index] as (typeof attempts)[number];
      if (attempt.status === 'rejected') {
        this.decided.set(index, { kind: 'error', error: attempt.reason });
        continue;
      }
      const participants = byPractice.get(member.therapistId) ?? [];
      participants.push({ index, member, attempt: attempt.value });
      byPractice.set(member.therapistId, participants);
    }
    return [...byPractice].map(([therapistId, participants]) => {
      const view = new PracticeView({ service: this.service, therapistId }, now);
      return new PracticeTurn(view, participants, this.decided);
    });
  }

  private loading() {
    const questions = this.turns.flatMap(({ view }) => view.takeQuestions());
    return loadingOf(this.service, questions, {
      readMs: this.database.reading.statementMs,
      ms: this.timeLeft,
    });
  }

  /** One practice pays for the answers of all: a group of several practices has few. */
  private learn(loading: Loading, results: readonly TextRow[][]): Promise<void> {
    const [{ payer } = { payer: { therapistId: '' } }] = this.turns;
    return processTime.run(payer, loading.learn(results));
  }

  private keepLocked({ heads }: Transaction): void {
    for (const turn of this.turns) {
      const head = heads.get(turn.view.log.therapistId);
      if (head === undefined) {
        turn.hold();
        continue;
      }
      turn.view.position = head.position;
      turn.view.now = head.lockedAt;
      turn.view.eraseAt = head.eraseAt;
      turn.view.erasures = head.erasures;
      turn.view.isFull = head.bytes >= this.database.quotaBytes;
      turn.view.isDiskLow = this.database.disk.isLow;
    }
  }

  private async store(transaction: Transaction): Promise<void> {
    const steps = this.stored.map(({ step }) => step);
    const [first] = steps;
    if (first === undefined) return;
    this.requireTime();
    const views = this.turns.map(({ view }) => view);
    const keys = await this.database.personalKeys.forEvents(
      views.map(({ log, erasures, staged }) => ({
        therapistId: log.therapistId,
        erasures,
        events: staged.events,
      })),
      (statement) => transaction.load([statement]),
    );
    const [{ payer }] = this.turns as [PracticeTurn];
    const { statements, resultsOf } = await processTime.run(
      payer,
      flushOf(this.service, { views, steps, keys }),
    );
    if (steps.some(({ finishesFirst }) => finishesFirst === true)) {
      this.finish(resultsOf, await transaction.load(statements));
      const last = [...rememberAnswers(this.service, views.flatMap(keptBy)), ...this.recording(steps)];
      await transaction.end(last, first.how);
      return;
    }
    const answers = first.how === 'COMMIT' ? rememberAnswers(this.service, views.flatMap(keptBy)) : [];
    const last = [...answers, ...this.recording(steps)];
    this.finish(resultsOf, await transaction.end([...statements, ...last], first.how));
  }

  /** Nothing is committed that the caller does not wait for. @throws {Rejection} PM503 */
  private requireTime(): void {
    if (this.stored.some(({ participant: { member } }) => timeLeft(member.deadline) <= 0)) reject(busy);
  }

  /** Records the access to what the responses show. The access log takes rows from the service itself only. */
  private recording(steps: readonly Stored<unknown>[]): Statement[] {
    const rows = steps.flatMap(({ accesses = [] }) => accesses);
    if (rows.length === 0) return [];
    const practices = this.writers.map(({ therapistId }) => asSystem(therapistId));
    return [actToWrite(practices), addAccesses(this.service, rows)];
  }

  /** Finishes the writes that have statements of their own. */
  private finish(resultsOf: Flush['resultsOf'], results: readonly TextRow[][]): void {
    for (const turn of this.turns)
      for (const { participant, step } of turn.stored)
        if (hasStatements(step)) turn.finish(participant, step, resultsOf(step, results));
  }
}

/** A write that cannot explain the error gets it as it is. */
function explained(error: unknown, step: Stored<unknown> | undefined): unknown {
  try {
    return step?.explain?.(error) ?? error;
  } catch {
    return error;
  }
}

const keptBy = ({ log: { therapistId }, kept }: PracticeView): KeptAnswer[] =>
  [...kept.values()].map((answer) => ({ therapistId, ...answer }));
