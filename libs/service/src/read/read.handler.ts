import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { compileRead, planRead, replyRead } from '@practice/query';
import type { Reply } from '@practice/query';
import { asProblem } from '../storage/database-errors.js';
import { Database } from '../storage/database.js';
import { MAX_ROWS } from '../limits.js';
import { Read } from './read.query.js';

/** One statement, one round trip: Postgres builds the JSON, and its text is the answer's body. */
@QueryHandler(Read)
export class ReadHandler implements IQueryHandler<Read> {
  constructor(private readonly database: Database) {}

  async execute({ request, identity }: Read): Promise<Reply> {
    const plan = planRead(request, { catalog, therapistId: identity.therapistId, maxRows: MAX_ROWS });
    try {
      const [row = []] = await this.database.reads.read(identity.therapistId, compileRead(plan));
      const [body, page, total] = row;
      return replyRead(plan, {
        body: body ?? '',
        page: Number(page),
        total: total == null ? null : Number(total),
      });
    } catch (error) {
      throw asProblem(error, plan.resource);
    }
  }
}
