import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { catalog, inReadingRole } from '@practice/contracts';
import type { RestResponse } from '@practice/query';
import { AccessLog } from '../access/access-log.js';
import { asProblem, TenantDatabase } from '@practice/storage';
import { ReadSubquery } from './subquery.query.js';

/** Runs a subquery in one statement, whose text is the body, as `ReadHandler` does. */
@QueryHandler(ReadSubquery)
export class SubqueryHandler implements IQueryHandler<ReadSubquery> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly accesses: AccessLog,
  ) {}

  async execute({ prepared, keys, reader }: ReadSubquery): Promise<RestResponse> {
    const { therapistId, userId, semiJoinKeys } = reader;
    const { role, resource, query, attempt } = inReadingRole(
      this.database.service,
      reader,
      (practiceRole) => ({
        role: practiceRole,
        ...prepared.for({ catalog, therapistId, userId, practiceRole, semiJoinKeys }, keys),
      }),
    );
    if (resource.service !== this.database.service)
      throw new Error(`${resource.name} belongs to the ${resource.service} service`);
    const { timezone, mayBeOld = false } = prepared.subquery;
    const run = () =>
      this.database.read({ therapistId, role }, query, {
        timezone,
        deadline: reader.deadline,
        mayBeOld,
      });
    try {
      // Without keys the subquery only checks its conditions, so there is no access to record.
      const { rows } = prepared.isOfNoRows(keys)
        ? await run()
        : await this.accesses.reading(run, { resource, by: reader, method: 'GET', attempt });
      return { status: 200, headers: {}, body: rows[0]?.[0] ?? '' };
    } catch (error) {
      throw asProblem(error, resource);
    }
  }
}
