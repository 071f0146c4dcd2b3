import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { catalog } from '@practice/contracts';
import type { Steps } from '@practice/core';
import { Rejection } from '@practice/core';
import { SYSTEM } from '@practice/log';
import type { Statement } from '@practice/log';
import { problemReply } from '@practice/bus';
import type { FrameRequest, InPractice, Reply } from '@practice/bus';
import type { Relation, Resource } from '@practice/resource';
import { asProblem, selectReferenced, TenantDatabase } from '@practice/storage';
import { MISSING } from '../engine/group/attempt.js';
import type { Step } from '../engine/group/attempt.js';
import type { PracticeView } from '../engine/group/practice-view.js';
import { UnitsOfWork } from '../engine/unit-of-work.js';
import type { Outcome } from '../engine/unit-of-work.js';
import { relationsFrom, storeMarks } from '@practice/mirror';
import type { DeletionAnswer, DeletionQuestion } from '@practice/mirror';

/** The referring service's side of a deletion: responds with its references to the records. If it has none, it stores the marks. */
@Controller()
export class DeletionController {
  constructor(
    private readonly database: TenantDatabase,
    private readonly units: UnitsOfWork,
  ) {}

  @MessagePattern('deletion')
  async handle({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    const question = JSON.parse(body.toString()) as DeletionQuestion;
    const { therapistId, requestId, deadline } = envelope;
    try {
      const answer = await this.units.run({
        ...{ therapistId, requestId, deadline, writer: SYSTEM },
        // Every reference was either decided before, in a group before this one, or will find the mark.
        company: 'other practices',
        weight: 1,
        begin: () => ({ decide: (view) => this.answer(view, question) }),
      });
      return { status: 200, headers: {}, body: JSON.stringify(answer) };
    } catch (error) {
      const problem = asProblem(error);
      if (problem instanceof Rejection) return problemReply(problem.problem);
      throw problem;
    }
  }

  private *answer(
    view: PracticeView,
    { deletions, token }: DeletionQuestion,
  ): Steps<Step<Outcome<DeletionAnswer>>> {
    const looked = this.lookups(view.log.therapistId, deletions).map(({ relation, statement }) => ({
      relation,
      rows: view.run(statement),
    }));
    if (looked.some(({ rows }) => rows === undefined)) return MISSING;
    const references = looked.flatMap(({ relation, rows = [] }) =>
      rows.map(([id]) => ({ relation: relation.name, id: String(id) })),
    );
    const value = { kind: 'done', value: { references } } as const;
    if (references.length > 0 || token === null) return { kind: 'settled', value };
    return {
      kind: 'stored',
      how: 'COMMIT',
      after: [storeMarks(view.log, token, deletions)],
      finish: () => value,
    };
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
