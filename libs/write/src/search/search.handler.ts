import { catalog, permits, rolesIn, search, searchedIn, type SearchedResource } from '@practice/contracts';
import { asReader, reject, type Identity } from '@practice/core';
import { checkRight, parseRequest, PreparedRead } from '@practice/query';
import { AccessLog } from '@practice/read';
import { accessOf, isAllowed, isConfidential, type ArgumentsOf, type ResultOf } from '@practice/resource';
import { TenantDatabase } from '@practice/storage';
import { Handles, type FunctionCall, type FunctionHandler } from '../functions/function-handler.js';

type Search = typeof search;
type Found = ResultOf<Search>;

/** Records of each resource. */
const MOST = 50;

/**
 * Searches the service's part. Each resource is asked by a read of the dialect, so roles, row-level security, the access log and the
 * bounds of slow reads apply as they do to callers' reads.
 */
@Handles(search)
export class SearchHandler implements FunctionHandler<Search> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly accesses: AccessLog,
  ) {}

  /** @throws {Rejection} 42501 for a named resource that the caller may not read */
  async call({ q, resources }: ArgumentsOf<Search>, call: FunctionCall): Promise<Found> {
    const [practiceRole = call.caller.practiceRole] = rolesIn(this.database.service, call.caller);
    const reader = { ...asReader(call.caller), practiceRole };
    const own = searchedIn(resources).filter(({ service }) => service === this.database.service);
    const readable = own.filter((resource) => mayRead(resource, reader, resources !== null));
    return (
      await Promise.all(readable.map((resource) => this.found(resource, q, { ...call, caller: reader })))
    ).flat();
  }

  private async found(
    resource: SearchedResource,
    q: string,
    { caller, ...call }: FunctionCall,
  ): Promise<Found> {
    const { therapistId, practiceRole, userId } = caller;
    const query = queryOf(resource, q, caller);
    if (query === undefined) return [];
    const request = parseRequest({
      method: 'GET',
      resource: resource.name,
      query,
      headers: {},
      body: NO_BODY,
    });
    const prepared = new PreparedRead(request).for({ catalog, therapistId, userId, practiceRole });
    const { rows } = await this.accesses.reading(
      () =>
        this.database.read({ therapistId, role: practiceRole }, prepared.query, {
          ...{ timezone: null, deadline: call.deadline, mayBeOld: false },
        }),
      { resource, by: { ...caller, requestId: call.requestId }, method: 'POST', attempt: prepared.attempt },
    );
    const found = JSON.parse(rows[0]?.[0] ?? '[]') as readonly FoundRow[];
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

const NO_BODY = new Uint8Array();

/** @throws {Rejection} 42501 for a resource that the caller has named, if it may not be read */
function mayRead(resource: SearchedResource, { practiceRole, scopes }: Identity, isNamed: boolean): boolean {
  const { name } = resource;
  const isInScope = scopes === undefined || permits(scopes, name, 'read');
  if (!isNamed) return isInScope && isAllowed(resource, practiceRole, 'read');
  checkRight(resource, practiceRole, 'read');
  return isInScope || reject(missingScope(name));
}

const missingScope = (name: string) => ({
  status: 403,
  code: '42501',
  message: `permission denied: this token lacks the scope ${name}:read`,
});

/** The read that searches the columns that the role sees; undefined without one. Notes are searched by whole words: see ADR 0062. */
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
