// Pages by cursor. A cursor is sealed because it contains values of a record. It is bound to a practice and to the order of a read.

import { problemFor, reject } from '@practice/core';
import type { CursorPage, Given, PageStart, ParsedRequest, ReadPlan } from '@practice/query';
import type { TenantDatabase } from '@practice/storage';

/** The maximum age of a walk through pages. It is limited because each page reads all events since the first page. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The beginning of every sealed text. A cursor omits it, since a cursor must not have a dot: a filter on a column `after` has one. */
const FORMAT = 'v1.';

/** The read that a cursor belongs to. */
export interface WalkedRead {
  readonly therapistId: string;
  readonly request: ParsedRequest;
}

/** The pages of one read. */
export class Walk {
  /** The time at which the first page was read, in milliseconds since the epoch. */
  private since = Date.now();
  private before = 0;

  constructor(
    private readonly database: Pick<TenantDatabase, 'cursorKeys'>,
    private readonly read: WalkedRead,
  ) {}

  /**
   * The row that the page begins after; null for a first page, and for a read that is not paged by cursor.
   * @throws {Rejection} PM024 for text that is no cursor, an expired cursor, or one of another practice, resource, order or past state
   */
  startOf(given: Given | undefined): PageStart | null {
    const after = given?.after ?? this.read.request.after;
    if (after === undefined || after === '') return null;
    const plain = this.database.cursorKeys.find(FORMAT + after, nameOf(this.read));
    if (plain === undefined) return reject(invalid);
    const [position, rows, key, since] = JSON.parse(plain.toString()) as Content;
    if (Date.now() - since > MAX_AGE_MS) reject(expired);
    this.since = since;
    this.before = rows;
    return { position, key };
  }

  /**
   * The page, for the response; empty for a read that is not paged by cursor.
   * @param next the start of the next page, as the statement of a page returns it; null on the last one
   */
  pageOf(
    { paging, offset }: Pick<ReadPlan, 'paging' | 'offset'>,
    { page }: { readonly page: number },
    next: string | null,
  ): { readonly cursor?: CursorPage } {
    if (paging === undefined) return {};
    const rows = paging === 'first' ? offset : this.before;
    if (next === null) return { cursor: { rows, next } };
    const [position, key] = JSON.parse(next) as [string, (string | null)[]];
    const content: Content = [position, rows + page, key, this.since];
    const sealed = this.database.cursorKeys.seal(Buffer.from(JSON.stringify(content)), nameOf(this.read));
    return { cursor: { rows, next: sealed.slice(FORMAT.length) } };
  }
}

type Content = [position: string, rows: number, key: (string | null)[], since: number];

/** A text with everything that determines the order of the rows. */
function nameOf({ therapistId, request: { resource, options, preferences } }: WalkedRead): string {
  const order = options.orders.find(({ embed }) => embed.length === 0)?.value ?? [];
  return JSON.stringify([therapistId, resource, order, preferences.asOf]);
}

const invalid = problemFor('PM024', {
  details: 'It is not a cursor of this practice, resource, order and past state.',
});

const expired = problemFor('PM024', { details: 'Its first page was read more than a day ago.' });
