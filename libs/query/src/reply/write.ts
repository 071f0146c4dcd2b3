import { reject } from '@practice/core';
import { limits } from '../limits.js';
import { tooManyRows } from '../problems.js';
import type { WritePlan } from '../plan/write.js';
import { recordPath } from './location.js';
import { appliedHeader, contentRange, notOneRow } from './reply.js';
import type { Reply } from './reply.js';

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
export function checkAffected(plan: WritePlan, affected: number): void {
  if (affected > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
  if (plan.isSingular && affected !== 1) reject(notOneRow(affected));
  if (plan.maxAffected !== null && affected > plan.maxAffected) reject(tooManyAffected(affected));
  if (plan.minAffected !== null && affected < plan.minAffected)
    reject(tooFewAffected(plan.minAffected, affected));
}

/** The answer to a write. */
export function replyWrite(plan: WritePlan, outcome: WriteOutcome): Reply {
  const body = plan.returning === null ? null : outcome.body;
  return {
    status: statusOf(plan, body !== null),
    headers: {
      ...(body === null ? {} : { 'Content-Type': plan.media.contentType }),
      'Content-Range': rangeOf(plan, outcome.affected),
      ...location(plan, outcome.ids),
      ...appliedHeader(plan.applied),
    },
    body,
  };
}

function statusOf({ kind }: WritePlan, hasBody: boolean): number {
  if (kind === 'insert') return 201;
  return hasBody ? 200 : 204;
}

/** An update tells which rows it changed; inserts and deletes tell only how many, and only when asked. */
function rangeOf({ kind, isCounted }: WritePlan, affected: number): string {
  return contentRange(0, kind === 'update' ? affected : 0, isCounted ? affected : null);
}

function location({ kind, resource }: WritePlan, [id, ...others]: readonly string[]): Record<string, string> {
  return kind === 'insert' && id !== undefined && others.length === 0
    ? { Location: recordPath(resource.name, id) }
    : {};
}

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
