// The transaction of a group of writes: the practices are locked by one statement, the writes of each practice are decided one
// after another, and everything that they decided is stored by one statement of each kind.

import { busy, processTime, reject, Rejection } from '@practice/core';
import { actToWrite, asSystem, type Statement, type TextRow } from '@practice/log';
import {
  addAccesses,
  isCancelled,
  isDatabaseUnavailable,
  isDiskFull,
  inTransaction,
} from '@practice/storage';
import type { TenantDatabase, Scope, Transaction } from '@practice/storage';
import { storeIdempotency, type PracticeIdempotencyRecord } from '../idempotency.js';
import { claimKeys } from '../in-flight-duplicates.js';
import { timeLeft } from '../time-left.js';
import type { Stored } from './attempt.js';
import { storing, type Flush } from './flush.js';
import { loadPlanOf } from './load.js';
import { begun, type Begun, type Grouped, type Outcome } from './member.js';
import { hasStatements, inTurn, PracticeWrites, type Participant } from './practice-turn.js';
import { PracticeView } from './practice-view.js';

/**
 * Carries out a group of writes.
 * @param waiting whether it waits for a practice that another transaction has locked; only a group of one practice may
 * @returns an outcome for each member, once the transaction has ended: a refusal may follow from what another member decided. If
 *   the database refuses, the outcome of every member of a larger group is `retry unbatched`.
 */
export async function runGroup(
  database: TenantDatabase,
  members: readonly Grouped<unknown>[],
  waiting: Scope['waiting'],
): Promise<readonly Outcome[]> {
  const group = new Group(database, await begun(members));
  if (group.isEmpty) return group.outcomes;
  const scope = { service: database.service, waiting, ...group.scope };
  await inTransaction(database.writes, scope, (transaction) => group.run(transaction)).catch(
    (error: unknown) => group.fail(error, waiting),
  );
  return group.outcomes;
}

class Group {
  private readonly decided = new Map<number, Outcome>();
  private readonly practices: readonly PracticeWrites[];
  private hasLocked = false;

  constructor(
    private readonly database: Pick<
      TenantDatabase,
      'service' | 'reading' | 'quotaBytes' | 'personalKeys' | 'disk'
    >,
    private readonly given: Begun,
  ) {
    this.practices = this.practicesOf(given);
  }

  private get service(): string {
    return this.database.service;
  }

  /** Whether no attempt could begin. */
  get isEmpty(): boolean {
    return this.practices.length === 0;
  }

  get scope(): Omit<Scope, 'service' | 'waiting'> {
    const others = this.participants.flatMap(({ member: { otherPractices = [] } }) => otherPractices);
    const writers = this.practices.map(({ acting }) => acting);
    return { writers, others, statementMs: this.timeLeft };
  }

  /** The least time that any member has left, in milliseconds; undefined if no caller waits. */
  private get timeLeft(): number | undefined {
    const left = Math.min(...this.participants.map(({ member: { deadline } }) => timeLeft(deadline)));
    return left === Infinity ? undefined : Math.max(1, left);
  }

  get outcomes(): Outcome[] {
    return this.given.members.map((_, index) => this.decided.get(index) ?? { kind: 'retry unbatched' });
  }

  /** Loads with the lock, then decides and loads in turns, then stores. */
  async run(transaction: Transaction): Promise<void> {
    await inTurn(this.practices, (practice) => practice.prefetch());
    await this.load((statements) => transaction.begin(statements, this.setup));
    this.keepLocked(transaction);
    for (;;) {
      const practices = this.practices.filter(({ isDecided }) => !isDecided);
      await inTurn(practices, (practice) => practice.decide());
      if (practices.every(({ isDecided }) => isDecided)) break;
      if (await this.work(transaction)) continue;
      await this.load((statements) => transaction.load(statements));
    }
    await this.store(transaction);
  }

  /** Sets the outcomes after an error. A single write gets the error. Several writes get it if a retry would not help; otherwise they are retried. */
  fail(error: unknown, waiting: Scope['waiting']): void {
    const participants = this.participants.filter(
      ({ index }) => this.decided.get(index)?.kind !== 'lock not acquired',
    );
    const isFinal =
      participants.length === 1 ||
      isDatabaseUnavailable(error) ||
      isDiskFull(error) ||
      (waiting === 'wait' && !this.hasLocked);
    const [only] = participants.length === 1 ? this.stored : [];
    const outcome: Outcome = isFinal
      ? { kind: 'error', error: this.isLate(error) ? new Rejection(busy) : explained(error, only?.step) }
      : { kind: 'retry unbatched' };
    for (const { index } of participants) this.decided.set(index, outcome);
  }

  /** Whether a statement was cancelled because a write has no time left. */
  private isLate(error: unknown): boolean {
    return isCancelled(error) && this.timeLeft === 1;
  }

  private get participants(): Participant[] {
    return this.practices.flatMap(({ participants }) => participants);
  }

  private get stored(): { readonly participant: Participant; readonly step: Stored<unknown> }[] {
    return this.practices.flatMap(({ stored }) => stored);
  }

  private get setup() {
    const members = this.participants.map(({ member }) => member);
    const claims = members.flatMap(({ therapistId, repeatable }) =>
      repeatable === undefined ? [] : [{ therapistId, key: repeatable.key }],
    );
    return [
      ...members.flatMap(({ setup = [] }) => setup),
      ...(claims.length === 0 ? [] : [claimKeys(claims)]),
    ];
  }

  private practicesOf({ members, attempts }: Begun): PracticeWrites[] {
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
      const view = new PracticeView({ service: this.service, therapistId });
      return new PracticeWrites(view, participants, this.decided);
    });
  }

  /** Loads everything that attempts wait for. The time is counted for one practice: a group of several practices has few values. */
  private async load(run: (statements: readonly Statement[]) => Promise<TextRow[][]>): Promise<void> {
    const loads = this.practices.flatMap((practice) => practice.loads);
    const plan = loadPlanOf(this.service, loads, {
      readMs: this.database.reading.statementMs,
      ms: this.timeLeft,
    });
    const results = await run(plan.statements);
    const [{ payer } = { payer: { therapistId: '' } }] = this.practices;
    await processTime.run(payer, plan.keep(results));
    for (const practice of this.practices) practice.resume();
  }

  private async work(transaction: Transaction): Promise<boolean> {
    const done: boolean[] = [];
    for (const practice of this.practices) done.push(await practice.work(transaction));
    return done.includes(true);
  }

  private keepLocked({ heads }: Transaction): void {
    this.hasLocked = true;
    for (const practice of this.practices) {
      const head = heads.get(practice.view.log.therapistId);
      if (head === undefined) {
        practice.leaveOut();
        continue;
      }
      const { quotaBytes, disk } = this.database;
      const isFull = head.bytes >= quotaBytes;
      const isKeptFull = head.keptBytes >= quotaBytes;
      practice.view.lockedAs({ head, isFull, isKeptFull, isDiskLow: disk.isLow });
    }
  }

  private async store(transaction: Transaction): Promise<void> {
    const steps = this.stored.map(({ step }) => step);
    const [first] = steps;
    if (first === undefined) return;
    this.requireTime();
    const views = this.practices.flatMap(({ view }) => (view.isLocked ? [view] : []));
    const [{ payer }] = this.practices as [PracticeWrites];
    const { statements, resultsOf } = await storing(transaction, this.database, { views, steps, payer });
    if (steps.some(({ finishesFirst }) => finishesFirst === true)) {
      this.finish(resultsOf, await transaction.load(statements));
      const last = [...this.idempotency(views, first.how), ...this.recording(steps)];
      if (first.how === 'COMMIT') await first.beforeCommit?.();
      await transaction.end(last, first.how);
      return;
    }
    const last = [...this.idempotency(views, first.how), ...this.recording(steps)];
    this.finish(resultsOf, await transaction.end([...statements, ...last], first.how));
  }

  private idempotency(views: readonly PracticeView[], how: Stored<unknown>['how']): Statement[] {
    return how === 'COMMIT' ? storeIdempotency(this.service, views.flatMap(recordsOf)) : [];
  }

  /** Refuses to commit a write whose caller no longer waits. @throws {Rejection} PM503 */
  private requireTime(): void {
    if (this.stored.some(({ participant: { member } }) => timeLeft(member.deadline) <= 0)) reject(busy);
  }

  /** Records the access to what the responses show. The access log accepts rows only from the service itself. */
  private recording(steps: readonly Stored<unknown>[]): Statement[] {
    const rows = steps.flatMap(({ accesses = [] }) => accesses);
    if (rows.length === 0) return [];
    const practices = this.practices.map(({ view }) => asSystem(view.log.therapistId));
    return [actToWrite(practices), addAccesses(this.service, rows)];
  }

  /** Finishes the writes that have statements of their own. */
  private finish(resultsOf: Flush['resultsOf'], results: readonly TextRow[][]): void {
    for (const practice of this.practices)
      for (const { participant, step } of practice.stored)
        if (hasStatements(step)) practice.finish(participant, step, resultsOf(step, results));
  }
}

/** The explained error; the error as it is if the write cannot explain it. */
function explained(error: unknown, step: Stored<unknown> | undefined): unknown {
  try {
    return step?.explain?.(error) ?? error;
  } catch {
    return error;
  }
}

const recordsOf = ({ log: { therapistId }, idempotency }: PracticeView): PracticeIdempotencyRecord[] =>
  [...idempotency.values()].map((record) => ({ therapistId, ...record }));
