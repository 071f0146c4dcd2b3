import { filtersReturned, type WritePlan } from '@practice/query';
import type { Deciders } from './deciders.js';
import type { Batching } from './group/attempt.js';
import { isRepresentationRead } from './representation.js';
import { targetId } from './target-id.js';

/** A write of more records would delay the others of its group. */
const SHARED_RECORDS = 32;

/** The number of records that a write is about, as far as the request says. */
export const sizeOf = (plan: WritePlan): number =>
  plan.kind === 'insert' || plan.kind === 'upsert' ? Math.max(1, plan.records.length) : 1;

/** Which other writes may share the transaction of a request. @param isRepeatable whether its response is stored under a key */
export function batchingOf(plan: WritePlan, deciders: Deciders, isRepeatable: boolean): Batching {
  const isRead = isRepresentationRead(plan);
  if (needsTransaction(plan) || (isRead && isRepeatable) || deciders.mayHaveDependents(plan.resource))
    return 'none';
  // A deletion reads the references to the record, a representation is read from the tables, and the database checks the rows of
  // a group only at its end, when a later write may have hidden an error.
  return isRead || plan.kind === 'delete' || deciders.leavesKeysToDatabase(plan.resource)
    ? 'other practices'
    : 'any';
}

/** Whether a write must not share a transaction: it is rolled back, uses a time zone, may be refused by its representation, or is large. */
const needsTransaction = (plan: WritePlan): boolean =>
  plan.isDryRun ||
  plan.timezone !== null ||
  filtersReturned(plan) ||
  sizeOf(plan) > SHARED_RECORDS ||
  isFiltered(plan);

/** Whether a change names no single record, so that it may affect any number of records. */
const isFiltered = (plan: WritePlan): boolean =>
  (plan.kind === 'update' || plan.kind === 'delete') && targetId(plan) === null;
