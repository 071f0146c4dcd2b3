import { reject } from '@practice/core';
import type { CallPlan } from '../plan/call.js';
import { pastTheEnd, type ReadResult } from './read.js';
import { appliedHeader, contentRange, notOneRow, type RestResponse } from './response.js';
import { tooManyAffected } from './write.js';

/** The response of a function that returns nothing. */
export const voidResponse = ({ applied }: CallPlan): RestResponse => ({
  status: 204,
  headers: appliedHeader(applied),
  body: null,
});

/**
 * The response to a call.
 * @throws {Rejection} PGRST103 for a page past a counted end, PGRST116 if one object is wanted, PGRST124
 */
export function callResponse(plan: CallPlan, { body, page, total }: ReadResult): RestResponse {
  const { offset, media } = plan;
  if (total !== null && offset > total) reject(pastTheEnd(offset, total));
  checkRows(plan, page);
  // A filter may exclude the one object of a function.
  const text = plan.isObject && page === 0 ? 'null' : body;
  return {
    status: total !== null && page < total ? 206 : plan.isAccepted ? 202 : 200,
    headers: {
      'Content-Type': media.contentType,
      'Content-Range': contentRange(offset, page, total),
      ...appliedHeader(plan.applied),
    },
    body: plan.hasBody ? text : null,
  };
}

function checkRows({ isSingular, maxAffected }: CallPlan, rows: number): void {
  if (isSingular && rows !== 1) reject(notOneRow(rows));
  if (maxAffected !== null && rows > maxAffected) reject(tooManyAffected(rows));
}
