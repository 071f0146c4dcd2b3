// One practice as a group's transaction knows it: the database's answers from before the group, and the records that writes of
// the group have decided since. Questions without an answer are collected, so that one statement of each kind answers the
// questions of the whole group.

import { changeIdOf } from '@practice/core';
import type { Statement, TextRow } from '@practice/log';
import type { Answer } from '../idempotency.js';
import { StagedRecords } from './staged-records.js';

/** One kind of question: a single statement answers it for many records and practices. */
export interface QuestionKind<Item, Answer> {
  /** Questions with the same name share a statement. */
  readonly name: string;
  keyOf(item: Item): string;
  /** Its rows begin with the index of the question that they answer, from 1. */
  statement(service: string, asked: readonly Asked<Item>[]): Statement;
  /** @param rows without their index */
  answer(rows: readonly TextRow[], item: Item): Answer;
}

export interface Asked<Item> {
  readonly therapistId: string;
  readonly item: Item;
}

/** A question without an answer. A statement of its own is a kind by itself. */
export type OpenQuestion = {
  readonly view: PracticeView;
  readonly key: string;
} & (
  | { readonly kind: QuestionKind<unknown, unknown>; readonly item: unknown }
  | { readonly kind: null; readonly statement: Statement }
);

/** A write cannot be decided on what others of its group have decided: it needs a transaction of its own. */
export class NeedsOwnTransaction extends Error {}

export interface PracticeLog {
  readonly service: string;
  readonly therapistId: string;
}

export class PracticeView {
  readonly staged = new StagedRecords();
  /** Answers to keep, by Idempotency-Key. */
  readonly kept = new Map<string, Answer>();
  /** The practice's position in the log before the group, as read under its lock. */
  position = 0;
  /** When the practice is erased, as read under its lock; null unless it is closed. */
  eraseAt: string | null = null;
  /** The number of erasures in the practice, as read under its lock. */
  erasures = 0;
  /** The practice has reached its quota of storage. */
  isFull = false;
  /** The disk of the database is almost full. */
  isDiskLow = false;
  private readonly answers = new Map<string, unknown>();
  private open = new Map<string, OpenQuestion>();

  /** @param now the time of everything that the group decides; until the practice is locked, an estimate */
  constructor(
    readonly log: PracticeLog,
    public now: string,
  ) {}

  /** The id of the change that the next write of the practice becomes: its first event follows the events of the group so far. */
  get nextChange(): string {
    return changeIdOf(this.log.service, this.position + this.staged.events.length + 1);
  }

  /** @returns undefined if the answer must be loaded first */
  ask<Item, Answer>(kind: QuestionKind<Item, Answer>, item: Item): Answer | undefined {
    const key = `${kind.name} ${kind.keyOf(item)}`;
    const known = this.answers.get(key) as Answer | undefined;
    if (known === undefined)
      this.open.set(key, { view: this, key, kind: kind as QuestionKind<unknown, unknown>, item });
    return known;
  }

  /** Runs a statement once in the transaction. @returns undefined if it must run first */
  run(statement: Statement): TextRow[] | undefined {
    const key = `${statement.text} ${JSON.stringify(statement.values)}`;
    const known = this.answers.get(key) as TextRow[] | undefined;
    if (known === undefined) this.open.set(key, { view: this, key, kind: null, statement });
    return known;
  }

  learn(key: string, answer: unknown): void {
    this.answers.set(key, answer);
  }

  /** The questions asked since the last call. */
  takeQuestions(): OpenQuestion[] {
    const questions = [...this.open.values()];
    if (questions.length > 0) this.open = new Map();
    return questions;
  }
}
