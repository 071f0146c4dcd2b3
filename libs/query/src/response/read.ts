import { reject } from '@practice/core';
import { unsatisfiable } from '../parse/range.js';
import { entityTag } from './entity-tag.js';
import type { ReadPlan } from '../plan/read.js';
import { canonicalPath, queryFrom } from './location.js';
import { appliedHeader, contentRange, notOneRow } from './response.js';
import type { RestResponse } from './response.js';

/** Node's clients, among others, take no answer whose headers are longer than 16 KiB, and these two repeat the request's URL. */
const MAX_LOCATION = 4 * 1024;
const MAX_LINK = 10 * 1024;

/** The one row that a compiled read answers. */
export interface ReadResult {
  readonly body: string | null;
  /** Rows in the body. */
  readonly page: number;
  /** All rows that meet the conditions; null where they were not counted. */
  readonly total: number | null;
  /** The version of the one record that it is of; null where there is none. */
  readonly version?: number | null;
}

/**
 * The answer to a read.
 * @throws {Rejection} PGRST103 for a page past a counted end, PGRST116 where one object was wanted
 */
export function readResponse(
  plan: ReadPlan,
  { body, page, total, version = null }: ReadResult,
): RestResponse {
  if (total !== null && plan.offset > total) reject(pastTheEnd(plan.offset, total));
  if (plan.media.shape === 'object' && page !== 1) reject(notOneRow(page));
  return {
    status: total !== null && page < total ? 206 : 200,
    headers: {
      'Content-Type': plan.media.contentType,
      'Content-Range': contentRange(plan.offset, page, total),
      ...ifShort('Content-Location', canonicalPath(plan.resource.name, plan.canonicalQuery), MAX_LOCATION),
      ...(version === null ? {} : { ETag: entityTag(version) }),
      ...nextLink(plan, page, total),
      ...appliedHeader(plan.applied),
    },
    body: plan.hasBody ? body : null,
  };
}

const ifShort = (name: string, value: string, most: number): Record<string, string> =>
  value.length <= most ? { [name]: value } : {};

/** Rows that the cap cut off are never silent. */
function nextLink(plan: ReadPlan, page: number, total: number | null): Record<string, string> {
  const next = plan.offset + page;
  const isCut = plan.isCapped && page === plan.limit && (total === null || next < total);
  return isCut ? ifShort('Link', `<${queryFrom(plan.canonicalQuery, next)}>; rel="next"`, MAX_LINK) : {};
}

const pastTheEnd = (offset: number, total: number) =>
  unsatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, total);
