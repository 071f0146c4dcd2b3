import { problemFor, reject, type Problem } from '@practice/core';
import { unsatisfiable } from '../parse/range.js';
import { appliedHeader, contentRange, entityTag, notOneRow, type RestResponse } from './response.js';
import { appliedByReplica } from '../plan/applied.js';
import type { ReadPlan } from '../plan/read.js';
import { canonicalPath, queryAfter, queryFrom } from './location.js';
import type { CallPlan } from '../plan/call.js';
import { checkBounds } from './write.js';

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
  /** The version of the record; null if the read is not about one record. It is negative if values may have changed without it. */
  readonly version?: number | null;
  /** Whether a replica has returned the row. */
  readonly isFromReplica?: boolean;
  /** Present for a page by cursor. */
  readonly cursor?: CursorPage;
}

export interface CursorPage {
  /** The number of rows on all earlier pages. */
  readonly rows: number;
  /** The sealed cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * The response to a read.
 * @throws {Rejection} PGRST103 for a page past a counted end, PGRST116 if one object is wanted
 */
export function readResponse(plan: ReadPlan, result: ReadResult): RestResponse {
  const { body, page, total, isFromReplica, cursor } = result;
  const common = {
    ...ifShort('Content-Location', canonicalPath(plan.resource.name, plan.canonicalQuery), MAX_LOCATION),
    ...appliedTo(plan, isFromReplica),
    ...mementoHeader(plan.asOf),
  };
  const offset = cursor?.rows ?? plan.offset;
  if (total !== null && offset > total) reject(withHeaders(pastTheEnd(offset, total), common));
  if (plan.media.shape === 'object' && page !== 1) reject(notOneRow(page));
  return {
    status: total !== null && page < total ? 206 : 200,
    headers: {
      'Content-Type': plan.media.contentType,
      'Content-Range': contentRange(offset, page, total),
      ...versionTag(result),
      ...nextLink(plan, result),
      ...common,
    },
    body: plan.hasBody ? body : null,
  };
}

const appliedTo = ({ applied }: ReadPlan, isFromReplica = false): Record<string, string> =>
  appliedHeader(isFromReplica ? appliedByReplica(applied) : applied);

/** The instant in the form of RFC 7089, which is precise to the second. Preference-Applied has the exact instant. */
const mementoHeader = (asOf: string | null): Record<string, string> =>
  asOf === null ? {} : { 'Memento-Datetime': new Date(asOf).toUTCString() };

const withHeaders = (problem: Problem, headers: Readonly<Record<string, string>>): Problem => ({
  ...problem,
  headers: { ...problem.headers, ...headers },
});

const ifShort = (name: string, value: string, most: number): Record<string, string> =>
  value.length <= most ? { [name]: value } : {};

const versionTag = ({ version = null }: ReadResult): Record<string, string> =>
  version === null ? {} : { ETag: entityTag(Math.abs(version)) };

/** A link to the next page by cursor, or to the next rows if the cap on every read cut them off. */
function nextLink(plan: ReadPlan, { page, total, cursor }: ReadResult): Record<string, string> {
  if (cursor !== undefined) return cursorLink(plan, cursor);
  const rest = { offset: plan.offset + page, limit: plan.beyond };
  const isCut = rest.limit !== 0 && page === plan.limit && (total === null || rest.offset < total);
  return isCut ? ifShort('Link', `<${queryFrom(plan.canonicalQuery, rest)}>; rel="next"`, MAX_LINK) : {};
}

/**
 * A link to the page after a cursor.
 * @throws {Rejection} PM024 for a link that is too long: without it, the page would look like the last one
 */
function cursorLink({ canonicalQuery }: ReadPlan, { next }: CursorPage): Record<string, string> {
  if (next === null) return {};
  const link = `<${queryAfter(canonicalQuery, next)}>; rel="next"`;
  return link.length <= MAX_LINK ? { Link: link } : reject(linkTooLong);
}

const linkTooLong = problemFor('PM024', {
  details: 'The link to the next page would be too long for a header.',
  hint: 'Order by shorter columns, or filter by fewer values.',
});

/** PGRST103: there are fewer rows than the offset. */
export const pastTheEnd = (offset: number, total: number) =>
  unsatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, total);

/** The response of a function that returns nothing. */
export const voidResponse = ({ applied }: CallPlan): RestResponse => ({
  status: 204,
  headers: appliedHeader(applied),
  body: null,
});

/**
 * The response to a call.
 * @throws {Rejection} PGRST103 for a page past a counted end, PGRST116 if one object is wanted, PGRST124, PM404
 */
export function callResponse(plan: CallPlan, { body, page, total }: ReadResult): RestResponse {
  const { offset, media } = plan;
  if (total !== null && offset > total) reject(pastTheEnd(offset, total));
  checkBounds(plan, page);
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
