import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { SYSTEM, type Statement } from '@practice/log';
import type { Relation, Resource } from '@practice/resource';
import { selectReferenced, TenantDatabase } from '@practice/storage';
import type { Resumable } from '../engine/group/resumable.js';
import type { Step } from '../engine/group/attempt.js';
import type { PracticeView } from '../engine/group/practice-view.js';
import { UnitsOfWork } from '../engine/unit-of-work.js';
import type { AttemptResult } from '../engine/attempt-result.js';
import { AgreeToDeletions } from './agree-to-deletions.command.js';
import { relationsFrom, storeMarks, type DeletionAnswer, type DeletionQuestion } from '@practice/mirror';

/** Responds with the references of this service to the records. If it has none, it stores the marks. */
@CommandHandler(AgreeToDeletions)
export class AgreeToDeletionsHandler implements ICommandHandler<AgreeToDeletions> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly units: UnitsOfWork,
  ) {}

  execute({ question, caller }: AgreeToDeletions): Promise<DeletionAnswer> {
    return this.units.run({
      ...caller,
      writer: SYSTEM,
      // Every reference was either decided in an earlier group, or will find the mark.
      batching: 'other practices',
      size: 1,
      begin: () => ({ decide: (view) => this.answer(view, question) }),
    });
  }

  private *answer(
    view: PracticeView,
    { deletions, token }: DeletionQuestion,
  ): Resumable<Step<AttemptResult<DeletionAnswer>>> {
    const lookups = this.lookups(view.log.therapistId, deletions);
    yield* view.load(lookups.map(({ statement }) => view.statementLoad(statement)));
    const references: { relation: string; id: string }[] = [];
    for (const { relation, statement } of lookups)
      for (const [id] of yield* view.rows(statement))
        references.push({ relation: relation.name, id: String(id) });
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
      return relationsFrom(this.database.service, resource).map((relation) => {
        const referring = catalog.resources.get(relation.from) as Resource;
        return {
          relation,
          statement: selectReferenced(referring, therapistId, { column: relation.column, ids }),
        };
      });
    });
  }
}
