import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import type { Accessed, RestResponse } from '@practice/query';
import { isConfidential } from '@practice/resource';
import { AccessLog } from '../access/access-log.js';
import { asProblem } from '../storage/database-errors.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { ReadSubquery } from './subquery.query.js';

/** Like `ReadHandler`: one statement, whose text is the body. */
@QueryHandler(ReadSubquery)
export class SubqueryHandler implements IQueryHandler<ReadSubquery> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly accesses: AccessLog,
  ) {}

  async execute({ prepared, keys, reader }: ReadSubquery): Promise<RestResponse> {
    const { therapistId, practiceRole, semiJoinKeys } = reader;
    const { resource, query } = prepared.for({ catalog, therapistId, practiceRole, semiJoinKeys }, keys);
    if (resource.service !== this.database.service)
      throw new Error(`${resource.name} belongs to the ${resource.service} service`);
    try {
      const { rows } = await this.database.read({ therapistId, role: practiceRole }, query, {
        timezone: prepared.subquery.timezone,
        deadline: reader.deadline,
        mayBeOld: prepared.subquery.mayBeOld === true,
      });
      const [row] = rows;
      if (isConfidential(resource)) {
        const accessed = JSON.parse(row?.[1] ?? '') as Accessed;
        await this.accesses.record(resource, { by: reader, method: 'GET' }, accessed);
      }
      return { status: 200, headers: {}, body: row?.[0] ?? '' };
    } catch (error) {
      throw asProblem(error, resource);
    }
  }
}
