import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { catalog } from '@practice/contracts';
import { Rejection } from '@practice/core';
import type { Statement } from '@practice/event-store';
import { problemReply } from '@practice/messaging';
import type { FrameRequest, Reply } from '@practice/messaging';
import type { Relation, Resource } from '@practice/resource';
import { asProblem } from '../storage/database-errors.js';
import { selectReferenced } from '../storage/tables.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { inTransaction } from '../storage/transaction.js';
import { PracticeQueue } from '../write/practice-queue.js';
import { relationsFrom } from './check-references.js';
import type { DeletionAnswer, DeletionQuestion } from './deletion-barrier.js';
import { storeMarks } from './deletion-marks.js';

/** The referring service's side of a deletion: responds with its references to the records. If it has none, it stores the marks. */
@Controller()
export class DeletionController {
  constructor(
    private readonly database: TenantDatabase,
    private readonly queue: PracticeQueue,
  ) {}

  @MessagePattern('deletion')
  async handle({ envelope, body }: FrameRequest): Promise<Reply> {
    const question = JSON.parse(body.toString()) as DeletionQuestion;
    try {
      const answer = await this.queue.run(envelope.therapistId, () =>
        this.answer(envelope.therapistId, question),
      );
      return { status: 200, headers: {}, body: JSON.stringify(answer) };
    } catch (error) {
      const problem = asProblem(error);
      if (problem instanceof Rejection) return problemReply(problem.problem);
      throw problem;
    }
  }

  /** Under the practice's lock, so every reference was either decided before or will find the mark. */
  private answer(therapistId: string, { deletions, token }: DeletionQuestion): Promise<DeletionAnswer> {
    const log = { service: this.database.service, therapistId };
    const lookups = this.lookups(therapistId, deletions);
    return inTransaction(this.database.writes, log, async (transaction) => {
      const found = await transaction.begin(lookups.map(({ statement }) => statement));
      const references = lookups.flatMap(({ relation }, index) =>
        (found[index] ?? []).map(([id]) => ({ relation: relation.name, id: String(id) })),
      );
      if (references.length === 0 && token !== null)
        await transaction.end([storeMarks(log, token, deletions)], 'COMMIT');
      return { references };
    });
  }

  private lookups(
    therapistId: string,
    deletions: DeletionQuestion['deletions'],
  ): { relation: Relation; statement: Statement }[] {
    const resources = [...new Set(deletions.map(({ resource }) => resource))];
    return resources.flatMap((resource) => {
      const ids = deletions.filter((deletion) => deletion.resource === resource).map(({ id }) => id);
      return relationsFrom(catalog, this.database.service, resource).map((relation) => {
        const referring = catalog.resources.get(relation.from) as Resource;
        return {
          relation,
          statement: selectReferenced(referring, therapistId, { column: relation.column, ids }),
        };
      });
    });
  }
}
