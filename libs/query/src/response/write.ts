import { reject } from '@practice/core';
import { limits } from '../limits.js';
import { tooManyRows } from '../problems.js';
import type { UpsertPlan } from '../plan/upsert.js';
import type { WritePlan } from '../plan/write.js';
import { recordPath } from './location.js';
import { appliedHeader, contentRange, notOneRow } from './response.js';
import type { RestResponse } from './response.js';

/** What a write came to. */
export interface WriteOutcome {
  readonly affected: number;
  /** Of those, the rows that were not there before; an insert's are all new. */
  readonly inserted?: number;
  /** The records written, in the order they were written. */
  readonly ids: readonly string[];
  /** What `compileReturning` answered; null where the caller wants no records back. */
  readonly body: string | null;
}

/**
 * Checks that a write hits as many rows as the caller allows: to be asked before anything is kept.
 * @throws {Rejection} PM413, PGRST116, PGRST124, PM404
 */
export function checkAffected(plan: WritePlan | UpsertPlan, affected: number): void {
  if (affected > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
  if (plan.isSingular && affected !== 1) reject(notOneRow(affected));
  if (plan.maxAffected !== null && affected > plan.maxAffected) reject(tooManyAffected(affected));
  if (plan.minAffected !== null && affected < plan.minAffected)
    reject(tooFewAffected(plan.minAffected, affected));
}

/** The answer to a write. */
export function writeResponse(plan: WritePlan | UpsertPlan, outcome: WriteOutcome): RestResponse {
  const body = plan.returning === null ? null : outcome.body;
  const status = statusOf(plan, outcome, body !== null);
  return {
    status,
    headers: {
      ...(body === null ? {} : { 'Content-Type': plan.media.contentType }),
      ...rangeHeader(plan, outcome.affected),
      ...(status === 201 ? location(plan, outcome.ids) : {}),
      ...appliedHeader(plan.applied),
    },
    body,
  };
}

function statusOf(plan: WritePlan | UpsertPlan, outcome: WriteOutcome, hasBody: boolean): number {
  switch (plan.kind) {
    case 'insert':
      return 201;
    case 'upsert':
      return plan.isPut && !hasBody ? 204 : upsertStatus(plan, outcome);
    case 'update':
    case 'delete':
      return hasBody ? 200 : 204;
  }
}

/** Something new was created; but a request that passes over what is there has done its work, too. */
const upsertStatus = ({ onConflict }: UpsertPlan, { inserted = 0 }: WriteOutcome): number =>
  onConflict === 'ignore' || inserted > 0 ? 201 : 200;

/** An update tells which rows it changed, a PUT nothing, the others only how many, and only when asked. */
function rangeHeader(plan: WritePlan | UpsertPlan, affected: number): Record<string, string> {
  if (plan.kind === 'upsert' && plan.isPut) return {};
  const rows = plan.kind === 'update' ? affected : 0;
  return { 'Content-Range': contentRange(0, rows, plan.isCounted ? affected : null) };
}

const location = (
  { resource }: WritePlan | UpsertPlan,
  [id, ...others]: readonly string[],
): Record<string, string> =>
  id !== undefined && others.length === 0 ? { Location: recordPath(resource.name, id) } : {};

const tooManyAffected = (affected: number) => ({
  status: 400,
  code: 'PGRST124',
  message: 'Query result exceeds max-affected preference constraint',
  details: `The query affects ${affected} rows`,
});

const tooFewAffected = (wanted: number, affected: number) => ({
  status: 404,
  code: 'PM404',
  message: 'Fewer rows matched than min-affected asks for',
  details: `At least ${wanted} rows must match; ${affected} did.`,
});
