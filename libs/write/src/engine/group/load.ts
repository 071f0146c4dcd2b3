import type { Steps } from '@practice/core';
import type { Statement, TextRow } from '@practice/log';
import { limitTime, unlimitTime } from '@practice/storage';
import type { OpenQuestion, QuestionKind } from './practice-view.js';

/** Statements that answer questions: one for each kind, whatever the number of practices. */
export interface Loading {
  readonly statements: readonly Statement[];
  /** Gives each practice its answers. @param results one for each statement */
  learn(results: readonly TextRow[][]): Steps<void>;
}

/**
 * @param limits.readMs the time of a statement that a caller has shaped, such as the filter of a PATCH
 * @param limits.ms the time of each other statement; without it, as much as the role has
 */
export function loadingOf(
  service: string,
  questions: readonly OpenQuestion[],
  { readMs, ms }: { readonly readMs: number; readonly ms: number | undefined },
): Loading {
  const parts = partsOf(questions).map((part) => ({ part, statement: statementOf(service, part) }));
  const statements = parts.map(({ statement }) => statement);
  const hasShaped = statements.some(({ isShaped }) => isShaped === true);
  return {
    statements: hasShaped
      ? [
          limitTime(Math.min(readMs, ms ?? readMs)),
          ...statements,
          ms === undefined ? unlimitTime : limitTime(ms),
        ]
      : statements,
    *learn(results) {
      for (const [index, { part }] of parts.entries())
        yield* learnPart(part, results[hasShaped ? index + 1 : index] ?? []);
    },
  };
}

type Batched = Extract<OpenQuestion, { kind: QuestionKind<unknown, unknown> }>;
type Single = Extract<OpenQuestion, { kind: null }>;
type Part = Single | { readonly kind: Batched['kind']; readonly questions: Batched[] };

function partsOf(questions: readonly OpenQuestion[]): Part[] {
  const singles: Single[] = [];
  const batches = new Map<string, { kind: Batched['kind']; questions: Batched[] }>();
  for (const question of questions) {
    if (question.kind === null) {
      singles.push(question);
      continue;
    }
    const batch = batches.get(question.kind.name) ?? { kind: question.kind, questions: [] };
    batch.questions.push(question);
    batches.set(question.kind.name, batch);
  }
  return [...singles, ...batches.values()];
}

function statementOf(service: string, part: Part): Statement {
  if (part.kind === null) return part.statement;
  const asked = part.questions.map(({ view, item }) => ({ therapistId: view.log.therapistId, item }));
  return part.kind.statement(service, asked);
}

function* learnPart(part: Part, rows: TextRow[]): Steps<void> {
  if (part.kind === null) {
    part.view.learn(part.key, rows);
    return;
  }
  const found = new Map<number, TextRow[]>();
  for (const [index, ...row] of rows) {
    const of = found.get(Number(index));
    if (of === undefined) found.set(Number(index), [row]);
    else of.push(row);
  }
  for (const [index, { view, key, item }] of part.questions.entries()) {
    view.learn(key, part.kind.answer(found.get(index + 1) ?? [], item));
    yield;
  }
}
