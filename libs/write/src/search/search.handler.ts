import { search, searchedIn, type SearchedResource } from '@practice/contracts';
import type { Identity } from '@practice/core';
import { AccessLog } from '@practice/read';
import { accessOf, isConfidential, type ArgumentsOf, type ResultOf } from '@practice/resource';
import { TenantDatabase } from '@practice/storage';
import { mayRead, readerIn, rowsOf } from '../functions/dialect-reads.js';
import { Handles, type FunctionCall, type FunctionHandler } from '../functions/function-handler.js';

type Search = typeof search;
type Found = ResultOf<Search>;

/** The most records of each resource. */
const MOST = 50;

/**
 * Searches the service's part. Each resource is searched by a read of the dialect, so roles, row-level security, the access log
 * and the bounds of slow reads apply as they do to callers' reads.
 */
@Handles(search)
export class SearchHandler implements FunctionHandler<Search> {
  constructor(
    readonly database: TenantDatabase,
    readonly accesses: AccessLog,
  ) {}

  /** @throws {Rejection} 42501 for a named resource that the caller may not read */
  async call({ q, resources }: ArgumentsOf<Search>, call: FunctionCall): Promise<Found> {
    const reader = readerIn(this.database.service, call.caller);
    const own = searchedIn(resources).filter(({ service }) => service === this.database.service);
    const readable = own.filter((resource) => mayRead(resource, reader, resources !== null));
    return (
      await Promise.all(readable.map((resource) => this.found(resource, q, { ...call, caller: reader })))
    ).flat();
  }

  private async found(resource: SearchedResource, q: string, call: FunctionCall): Promise<Found> {
    const query = queryOf(resource, q, call.caller);
    if (query === undefined) return [];
    const found = await rowsOf<FoundRow>(this, { resource, query }, call);
    return found.map(({ id, title = null, _rank, _snippet }) => ({
      ...{ resource: resource.name, id, title, snippet: _snippet, rank: _rank.toFixed(4) },
    }));
  }
}

interface FoundRow {
  readonly id: string;
  readonly title?: string | null;
  readonly _rank: number;
  readonly _snippet: string | null;
}

/** The read that searches the columns that the role sees; undefined if it sees none of them. Notes are searched by whole words: see ADR 0062. */
function queryOf(resource: SearchedResource, q: string, { practiceRole }: Identity): string | undefined {
  const { hidden } = accessOf(resource, practiceRole);
  const { title, in: searched } = resource.search;
  const operator = isConfidential(resource) ? 'plfts(simple)' : 'sim';
  const words = `"${q.replaceAll(/["\\]/g, '\\$&')}"`;
  const seen = searched.filter((column) => !hidden.has(column));
  if (seen.length === 0) return undefined;
  const query = new URLSearchParams({
    select: ['id', ...(hidden.has(title) ? [] : [`title:${title}`]), '_rank', '_snippet'].join(),
    or: `(${seen.map((column) => `${column}.${operator}.${words}`).join()})`,
    order: '_rank.desc',
    limit: String(MOST),
  });
  return query.toString();
}
