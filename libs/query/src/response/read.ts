import { reject, type Problem } from '@practice/core';
import { unsatisfiable } from '../parse/range.js';
import { entityTag } from './entity-tag.js';
import { appliedByReplica } from '../plan/applied.js';
import type { ReadPlan } from '../plan/read.js';
import { canonicalPath, queryFrom } from './location.js';
import { appliedHeader, contentRange, notOneRow, type RestResponse } from './response.js';

/** Clients such as Node's accept at most 16 KiB of response headers, and these two repeat the URL of the request. */
const MAX_LOCATION = 4 * 1024;
const MAX_LINK = 10 * 1024;

/** The one row that a compiled read returns. */
export interface ReadResult {
  readonly body: string | null;
  /** Rows in the body. */
  readonly page: number;
  /** All rows that match the conditions; null if they were not counted. */
  readonly total: number | null;
  /** The version of the record; null if the read is not about one record. */
  readonly version?: number | null;
  /** Whether a replica has returned it. */
  readonly isFromReplica?: boolean;
}

/**
 * The response to a read.
 * @throws {Rejection} PGRST103 for a page past a counted end, PGRST116 if one object is wanted
 */
export function readResponse(
  plan: ReadPlan,
  { body, page, total, version = null, isFromReplica }: ReadResult,
): RestResponse {
  const common = {
    ...ifShort('Content-Location', canonicalPath(plan.resource.name, plan.canonicalQuery), MAX_LOCATION),
    ...appliedTo(plan, isFromReplica),
    ...mementoHeader(plan.asOf),
  };
  if (total !== null && plan.offset > total) reject(withHeaders(pastTheEnd(plan.offset, total), common));
  if (plan.media.shape === 'object' && page !== 1) reject(notOneRow(page));
  return {
    status: total !== null && page < total ? 206 : 200,
    headers: {
      'Content-Type': plan.media.contentType,
      'Content-Range': contentRange(plan.offset, page, total),
      ...(version === null ? {} : { ETag: entityTag(version) }),
      ...nextLink(plan, page, total),
      ...common,
    },
    body: plan.hasBody ? body : null,
  };
}

const appliedTo = ({ applied }: ReadPlan, isFromReplica = false): Record<string, string> =>
  appliedHeader(isFromReplica ? appliedByReplica(applied) : applied);

/** The instant as RFC 7089 names it, which is to the second. Preference-Applied has the exact one. */
const mementoHeader = (asOf: string | null): Record<string, string> =>
  asOf === null ? {} : { 'Memento-Datetime': new Date(asOf).toUTCString() };

const withHeaders = (problem: Problem, headers: Readonly<Record<string, string>>): Problem => ({
  ...problem,
  headers: { ...problem.headers, ...headers },
});

const ifShort = (name: string, value: string, most: number): Record<string, string> =>
  value.length <= most ? { [name]: value } : {};

/** A link to the next rows, if the cap on every read cut them off. */
function nextLink(plan: ReadPlan, page: number, total: number | null): Record<string, string> {
  const next = plan.offset + page;
  const isCut = plan.isCapped && page === plan.limit && (total === null || next < total);
  return isCut ? ifShort('Link', `<${queryFrom(plan.canonicalQuery, next)}>; rel="next"`, MAX_LINK) : {};
}

/** PGRST103: there are fewer rows than the offset. */
export const pastTheEnd = (offset: number, total: number) =>
  unsatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, total);
