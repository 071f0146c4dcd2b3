import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import type { RestResponse } from '@practice/query';
import { asProblem } from '../storage/database-errors.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { ReadSubquery } from './subquery.query.js';

/** Like `ReadHandler`: one statement, whose text is the body. */
@QueryHandler(ReadSubquery)
export class SubqueryHandler implements IQueryHandler<ReadSubquery> {
  constructor(private readonly database: TenantDatabase) {}

  async execute({ prepared, keys, reader }: ReadSubquery): Promise<RestResponse> {
    const { therapistId, semiJoinKeys } = reader;
    const { resource, query } = prepared.for({ catalog, therapistId, semiJoinKeys }, keys);
    if (resource.service !== this.database.service)
      throw new Error(`${resource.name} belongs to the ${resource.service} service`);
    try {
      const [row] = await this.database.reads.run(therapistId, query, prepared.subquery.timezone);
      return { status: 200, headers: {}, body: row?.[0] ?? '' };
    } catch (error) {
      throw asProblem(error, resource);
    }
  }
}
