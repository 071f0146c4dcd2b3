import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { catalog } from '@practice/contracts';
import { Rejection } from '@practice/core';
import { problemReply } from '@practice/messaging';
import type { FrameRequest, Reply } from '@practice/messaging';
import { compileKeys, compileRows, planSubplan } from '@practice/query';
import type {
  KeysPlan,
  SemiJoinKeys,
  SubplanQuestion,
  RowsPlan,
  SqlQuery,
  WholeRequest,
} from '@practice/query';
import { MAX_ROWS } from '../limits.js';
import { asProblem } from '../storage/database-errors.js';
import { TenantDatabase } from '../storage/tenant-database.js';

/** A question about this service's part of an answer; the keys that rows are wanted for are the body, as JSON. */
export type PartHead = WholeRequest & {
  readonly part: SubplanQuestion;
  readonly semiJoinKeys: readonly SemiJoinKeys[];
};

/** FetchedRecords for the relations of a request that lead into this service: planned, as any read, from what the caller wrote. */
@Controller()
export class PartController {
  constructor(private readonly database: TenantDatabase) {}

  @MessagePattern('part')
  async handle({ head, body }: FrameRequest<PartHead>): Promise<Reply> {
    try {
      return { status: 200, headers: {}, body: await this.answer(head, body) };
    } catch (error) {
      if (error instanceof Rejection) return problemReply(error.problem);
      throw error;
    }
  }

  private async answer(head: FrameRequest<PartHead>['head'], body: Buffer): Promise<string> {
    const { therapistId, semiJoinKeys, timezone = null } = head;
    const plan = planSubplan(head, head.part, { catalog, therapistId, maxRows: MAX_ROWS, semiJoinKeys });
    const { resource } = plan.embed.node;
    if (resource.service !== this.database.service) throw new Error(`${resource.name} is not answered here`);
    try {
      const [row] = await this.database.reads.run(therapistId, statementOf(plan, body), timezone);
      return row?.[0] ?? '';
    } catch (error) {
      throw asProblem(error, resource);
    }
  }
}

const statementOf = (plan: KeysPlan | RowsPlan, body: Buffer): SqlQuery =>
  plan.kind === 'keys'
    ? compileKeys(plan)
    : compileRows(plan, JSON.parse(body.toString()) as (string | null)[]);
