import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { compileKeys, compileRows, planSubquery } from '@practice/query';
import type { RestResponse } from '@practice/query';
import { asProblem } from '../storage/database-errors.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { ReadSubquery } from './subquery.query.js';

/** Like `ReadHandler`: one statement, whose text is the body. */
@QueryHandler(ReadSubquery)
export class SubqueryHandler implements IQueryHandler<ReadSubquery> {
  constructor(private readonly database: TenantDatabase) {}

  async execute({ subquery, asked: { result, keys, reader } }: ReadSubquery): Promise<RestResponse> {
    const { therapistId, semiJoinKeys } = reader;
    const context = { catalog, therapistId, semiJoinKeys };
    const plan = planSubquery(subquery, result, context);
    const { resource } = plan.node;
    if (resource.service !== this.database.service)
      throw new Error(`${resource.name} belongs to the ${resource.service} service`);
    const statement = plan.kind === 'keys' ? compileKeys(plan) : compileRows(plan, keys);
    try {
      const [row] = await this.database.reads.run(therapistId, statement, subquery.timezone);
      return { status: 200, headers: {}, body: row?.[0] ?? '' };
    } catch (error) {
      throw asProblem(error, resource);
    }
  }
}
