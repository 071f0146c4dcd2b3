import { keyOf, markForDeletion } from '../references/deletion-marks.js';
import type { DeletionAttempt } from '../references/deletion-barrier.js';
import type { Deletion } from '../references/deletion-marks.js';
import type { Transaction } from '../storage/transaction.js';
import type { Outcome } from './unit-of-work.js';

/**
 * Checks that other services have agreed to these deletions. If they were not asked yet, the records are marked, which is
 * committed without anything else, so that they can be asked; a dry run marks nothing.
 * @param marked keys of the records whose marks were still there when the transaction began
 * @returns null when the deletions may be stored
 */
export async function confirmDeletions(
  transaction: Transaction,
  deletions: readonly Deletion[],
  { attempt, marked, isDryRun }: { attempt: DeletionAttempt; marked: ReadonlySet<string>; isDryRun: boolean },
): Promise<Outcome<never> | null> {
  const isConfirmed = deletions.every(
    (deletion) => attempt.isConfirmed(deletion) && (isDryRun || marked.has(keyOf(deletion))),
  );
  if (isConfirmed) return null;
  if (isDryRun) return { kind: 'unconfirmed deletions', deletions };
  const marking = markForDeletion(transaction.log, attempt.renewToken(), deletions);
  const [rows = []] = await transaction.end([marking], 'COMMIT');
  return { kind: rows.length === deletions.length ? 'unconfirmed deletions' : 'being deleted', deletions };
}
