import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { catalog, inReadingRole } from '@practice/contracts';
import type { TextRow } from '@practice/log';
import { matchesVersion, readResponse } from '@practice/query';
import type { ReadPlan, ReadResult, RestResponse } from '@practice/query';
import { AccessLog } from '../access/access-log.js';
import { asProblem, TenantDatabase } from '@practice/storage';
import { Walk } from './cursors.js';
import { Read } from './read.query.js';

/** Runs a read in one statement and one round trip: Postgres builds the JSON, and its text is the body. */
@QueryHandler(Read)
export class ReadHandler implements IQueryHandler<Read> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly accesses: AccessLog,
  ) {}

  async execute({ prepared, reader, given, known }: Read): Promise<RestResponse> {
    const { therapistId, userId, semiJoinKeys } = reader;
    const walk = new Walk(this.database, { therapistId, request: prepared.request });
    const start = walk.startOf(given);
    const { role, plan, query, attempt } = inReadingRole(this.database.service, reader, (practiceRole) => ({
      role: practiceRole,
      ...prepared.for({ catalog, therapistId, userId, practiceRole, semiJoinKeys }, given, start),
    }));
    const { resource, timezone, mayBeOld } = plan;
    const { method } = prepared.request;
    const { deadline } = reader;
    try {
      const { rows, isFromReplica } = await this.accesses.reading(
        () => this.database.read({ therapistId, role }, query, { timezone, deadline, mayBeOld }),
        { resource, by: reader, method, attempt },
      );
      const [row = []] = rows;
      const result = { isFromReplica, ...resultOf(plan, row) };
      const reply = readResponse(plan, { ...result, ...walk.pageOf(plan, result, nextIn(plan, row)) });
      const isKnown = known !== undefined && result.version != null && matchesVersion(known, result.version);
      return isKnown ? notModified(reply) : reply;
    } catch (error) {
      throw asProblem(error, resource);
    }
  }
}

/** The columns of the one row: `body`, `page`, then `total`, `version` and `next` if the plan has them, then `accessed`. */
export function resultOf({ isCounted, isVersioned }: ReadPlan, [body, page, ...others]: TextRow): ReadResult {
  const total = isCounted ? others.shift() : null;
  const version = isVersioned ? others.shift() : null;
  return { body: body ?? '', page: Number(page), total: numberOf(total), version: numberOf(version) };
}

const nextIn = ({ isCounted, isVersioned }: ReadPlan, row: TextRow): string | null =>
  row[2 + Number(isCounted) + Number(isVersioned)] ?? null;

const numberOf = (text: string | null | undefined): number | null => (text == null ? null : Number(text));

/** The response if the caller has the current version: headers only. */
const notModified = ({ headers }: RestResponse): RestResponse => ({
  status: 304,
  headers: { ETag: headers['ETag'] ?? '' },
  body: null,
});
