import { filtersReturned } from '@practice/query';
import type { Company } from './group/attempt.js';
import type { AnyWritePlan } from './intents.js';
import { isRepresentationRead } from './representation.js';
import { targetId } from './target-id.js';

/** A write of more records would delay the others of its group. */
const SHARED_RECORDS = 32;

/** The number of records that a write is about, as far as the request says. */
export const weightOf = (plan: AnyWritePlan): number =>
  plan.kind === 'insert' || plan.kind === 'upsert' ? Math.max(1, plan.records.length) : 1;

/** Which other writes may share the transaction of a request: see `Company`. */
export function companyOf(plan: AnyWritePlan, isRemembered: boolean): Company {
  const isRead = isRepresentationRead(plan);
  // Rolled back; reads and writes timestamps in a zone; may be refused, or is remembered, by what it reads at the end.
  if (plan.isDryRun || plan.timezone !== null || filtersReturned(plan)) return 'none';
  if ((isRead && isRemembered) || weightOf(plan) > SHARED_RECORDS || isFiltered(plan)) return 'none';
  // A deletion looks at who refers to the record, and a representation that is read at records after it.
  return isRead || plan.kind === 'delete' ? 'other practices' : 'any';
}

/** A change of records that the request does not name: any number of them. */
const isFiltered = (plan: AnyWritePlan): boolean =>
  (plan.kind === 'update' || plan.kind === 'delete') && targetId(plan) === null;
