import { problemFor, reject } from '@practice/core';
import { limits } from '../limits.js';
import { tooManyRows } from '../problems.js';
import type { WriteTerms } from '../plan/terms.js';
import type { UpsertPlan } from '../plan/upsert.js';
import type { WritePlan } from '../plan/write.js';
import { recordPath } from './location.js';
import { appliedHeader, contentRange, notOneRow, type RestResponse } from './response.js';

/** The result of a write. */
export interface WriteOutcome {
  /** The number of records written. */
  readonly affected: number;
  /** The number of new records among them; an insert's are all new. */
  readonly inserted?: number;
  /** Their ids, in the order in which they were written. */
  readonly ids: readonly string[];
  /** The result of `compileReturning`, and the number of records in it; null for a response without records. */
  readonly returned: { readonly body: string; readonly page: number } | null;
}

/**
 * Checks that a write affects a permitted number of rows, before anything is stored. With `!inner` embeds in the response the
 * bounds apply to the rows in the response: see `checkReturned`.
 * @throws {Rejection} PM413, PGRST116, PGRST124, PM404
 */
export function checkAffected(plan: WritePlan, affected: number): void {
  if (affected > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
  if (!filtersReturned(plan)) checkBounds(plan, affected);
}

/**
 * Checks the number of records in the response, before the write is committed.
 * @throws {Rejection} PGRST116, PGRST124, PM404
 */
export function checkReturned(plan: WritePlan, page: number): void {
  if (filtersReturned(plan)) checkBounds(plan, page);
}

/** Whether the response may contain fewer records than were written. */
export const filtersReturned = ({ returning }: WritePlan): boolean =>
  returning !== null && returning.where.length > 0;

/**
 * Checks the number of rows of a write or a call.
 * @throws {Rejection} PGRST116, PGRST124, PM404
 */
export function checkBounds({ isSingular, maxAffected, minAffected }: Bounds, rows: number): void {
  if (isSingular && rows !== 1) reject(notOneRow(rows));
  if (maxAffected !== null && rows > maxAffected) reject(tooManyAffected(rows));
  if (minAffected !== null && rows < minAffected) reject(tooFewAffected(minAffected, rows));
}

type Bounds = Pick<WriteTerms, 'isSingular' | 'maxAffected' | 'minAffected'>;

export function writeResponse(plan: WritePlan, outcome: WriteOutcome): RestResponse {
  const returned = plan.returning === null ? null : outcome.returned;
  const status = statusOf(plan, outcome, returned !== null);
  return {
    status,
    headers: {
      ...(returned === null ? {} : { 'Content-Type': plan.media.contentType }),
      ...rangeHeader(plan, returned?.page ?? outcome.affected),
      ...(status === 201 || isLocated(plan) ? location(plan, outcome.ids) : {}),
      ...appliedHeader(plan.applied),
    },
    body: returned?.body ?? null,
  };
}

/** Whether the response has a Location even if the record is not new: for an upsert that asks only for headers. */
const isLocated = (plan: WritePlan): boolean => plan.kind === 'upsert' && !plan.isPut && plan.isHeadersOnly;

function statusOf(plan: WritePlan, outcome: WriteOutcome, hasBody: boolean): number {
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

/** 201 if a record was created, and always if existing records are skipped. */
const upsertStatus = ({ onConflict }: UpsertPlan, { inserted = 0 }: WriteOutcome): number =>
  onConflict === 'ignore' || inserted > 0 ? 201 : 200;

/** Content-Range: an update has a range of rows, and the other writes only the total, if it is counted. A PUT does not have the header. */
function rangeHeader(plan: WritePlan, count: number): Record<string, string> {
  if (plan.kind === 'upsert' && plan.isPut) return {};
  const rows = plan.kind === 'update' ? count : 0;
  return { 'Content-Range': contentRange(0, rows, plan.isCounted ? count : null) };
}

const location = ({ resource }: WritePlan, [id, ...others]: readonly string[]): Record<string, string> =>
  id !== undefined && others.length === 0 ? { Location: recordPath(resource.name, id) } : {};

const tooManyAffected = (affected: number) =>
  problemFor('PGRST124', {
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${affected} rows`,
  });

const tooFewAffected = (wanted: number, affected: number) =>
  problemFor('PM404', {
    message: 'Fewer rows matched than min-affected asks for',
    details: `At least ${wanted} rows must match; ${affected} did.`,
  });
