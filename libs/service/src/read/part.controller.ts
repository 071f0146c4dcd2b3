import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { catalog } from '@practice/contracts';
import type { FrameRequest, Reply } from '@practice/messaging';
import { compileKeys, compileRows, planPart } from '@practice/query';
import type { KnownKeys, PartQuestion, WholeRequest } from '@practice/query';
import { MAX_ROWS } from '../limits.js';
import { asProblem } from '../storage/database-errors.js';
import { Database } from '../storage/database.js';

/** A question about this service's part of an answer; the keys that rows are wanted for are the body, as JSON. */
export type PartHead = WholeRequest & {
  readonly part: PartQuestion;
  readonly across: readonly KnownKeys[];
};

/** Answers for the relations of a request that lead into this service: planned, as any read, from what the caller wrote. */
@Controller()
export class PartController {
  constructor(private readonly database: Database) {}

  @MessagePattern('part')
  async handle({ head, body }: FrameRequest<PartHead>): Promise<Reply> {
    const { therapistId, across } = head;
    const plan = planPart(head, head.part, { catalog, therapistId, maxRows: MAX_ROWS, across });
    const { resource } = plan.embed.level;
    if (resource.service !== this.database.service) throw new Error(`${resource.name} is not answered here`);
    const statement =
      plan.kind === 'keys' ? compileKeys(plan) : compileRows(plan, JSON.parse(body.toString()) as string[]);
    try {
      const [row] = await this.database.reads.read(therapistId, statement);
      return { status: 200, headers: {}, body: row?.[0] ?? '' };
    } catch (error) {
      throw asProblem(error, resource);
    }
  }
}
