import type { DeletionAttempt, Deletion } from '@practice/mirror';
import { keyOf, markedKeys, markForDeletion, removeMarks } from '@practice/mirror';
import type { Load, Resumable } from './group/resumable.js';
import type { Step } from './group/attempt.js';
import type { PracticeView } from './group/practice-view.js';
import type { AttemptResult } from './attempt-result.js';

/** The load behind `removedMarks`. */
export const markLoads = (view: PracticeView, { token }: DeletionAttempt): Load[] =>
  token === null ? [] : [view.statementLoad(removeMarks(view.log, [token]))];

/** Removes the marks of an attempt. @returns keys of the records whose marks were still there */
export function* removedMarks(
  view: PracticeView,
  { token }: DeletionAttempt,
): Resumable<ReadonlySet<string>> {
  return token === null ? new Set() : markedKeys(yield* view.rows(removeMarks(view.log, [token])));
}

/**
 * Checks that other services have agreed to these deletions. If they were not asked yet, the records are marked. Only the marks
 * are then committed, without the rest of this write, so that the services can be asked. A dry run marks nothing.
 * @param marked keys of the records whose marks were still there when the transaction began
 * @returns null when the deletions may be stored
 */
export function confirmDeletions(
  { log }: PracticeView,
  deletions: readonly Deletion[],
  { attempt, marked, isDryRun }: { attempt: DeletionAttempt; marked: ReadonlySet<string>; isDryRun: boolean },
): Step<AttemptResult<never>> | null {
  const isConfirmed = deletions.every(
    (deletion) => attempt.isConfirmed(deletion) && (isDryRun || marked.has(keyOf(deletion))),
  );
  if (isConfirmed) return null;
  if (isDryRun) return { kind: 'settled', value: { kind: 'unconfirmed deletions', deletions } };
  return {
    kind: 'stored',
    how: 'COMMIT',
    after: [markForDeletion(log, attempt.renewToken(), deletions)],
    finish: ([rows = []]) => ({
      kind: rows.length === deletions.length ? 'unconfirmed deletions' : 'being deleted',
      deletions,
    }),
  };
}
