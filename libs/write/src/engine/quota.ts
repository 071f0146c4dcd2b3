// Limits of storage: a practice that has reached its quota may only delete, and no caller may write while the disk is almost
// full. Responses under idempotency keys have the same quota for themselves, so that a full practice can still delete.

import { problemFor, reject } from '@practice/core';
import { diskFull } from '@practice/storage';
import type { DecidedRecords } from './decided-records.js';
import type { LockedPractice } from './group/practice-view.js';
import { keptBytes, type IdempotencyRecord } from './idempotency.js';

const quotaReached = problemFor('PM507', {
  message: 'the practice has used its storage',
  details:
    'Records can be read and deleted. Deleted records still take space, because the history keeps them.',
  hint: 'Ask the operator of this API for a higher STORAGE_QUOTA_MB.',
});

const keptReached = problemFor('PM507', {
  message: 'the practice has used its storage for responses under an Idempotency-Key',
  details:
    'Nothing was written. Each response, also to a part of a batch, is kept for 24 hours, so that the request can be repeated.',
  hint: 'Send `Prefer: return=minimal`, or select fewer columns. A later request may have space again.',
});

/**
 * Checks the space for a write. Read-only records are exempt from the quota, because the service adds them to a caller's write, even to a deletion.
 * @throws {Rejection} PM507 when a practice that has reached its quota would store more than deletions, or when anything would be stored on a disk
 *   that is almost full
 */
export function checkSpace({ isFull, isDiskLow }: LockedPractice, { all }: DecidedRecords): void {
  if (!isFull && !isDiskLow) return;
  const changed = all.filter(({ aggregate }) => aggregate.getUncommittedEvents().length > 0);
  if (isDiskLow && changed.length > 0) reject(diskFull);
  const grows = changed.some(
    ({ resource, aggregate }) => resource.readOnly !== true && aggregate.state !== null,
  );
  if (isFull && grows) reject(quotaReached);
}

/** @throws {Rejection} PM507 when a practice that has reached its quota would store something that is no event, or the disk is almost full */
export function requireSpace({ isFull, isDiskLow }: LockedPractice): void {
  if (isDiskLow) reject(diskFull);
  if (isFull) reject(quotaReached);
}

/**
 * Checks the space for the response that a write keeps under its key. A short one always has space.
 * @throws {Rejection} PM507 when the practice has kept its quota of responses in a day, or the disk is almost full
 */
export function checkKept({ isKeptFull, isDiskLow }: LockedPractice, record: IdempotencyRecord): void {
  if ((!isKeptFull && !isDiskLow) || keptBytes(record) === 0) return;
  reject(isDiskLow ? diskFull : keptReached);
}
