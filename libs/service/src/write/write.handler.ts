import { CommandHandler, EventBus } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { reject } from '@practice/core';
import { checkAffected, compileReturning, planWrite, replyWrite } from '@practice/query';
import type { Reply, WritePlan } from '@practice/query';
import { instant } from '@practice/resource';
import { MAX_ROWS } from '../limits.js';
import { Answers, Neighbours, Unanswered } from '../neighbours/neighbours.js';
import { Committed } from '../relay.js';
import { asProblem } from '../storage/database-errors.js';
import { Database } from '../storage/database.js';
import { inTransaction } from '../storage/transaction.js';
import type { Transaction } from '../storage/transaction.js';
import { Deciders } from './deciders.js';
import { Decision } from './decision.js';
import { metadataOf } from './metadata.js';
import { PracticeQueue } from './practice-queue.js';
import { storedRepresentation } from './representation.js';
import { wishesOf } from './wishes.js';
import { Write } from './write.command.js';
import type { Origin } from './write.command.js';

interface Outcome {
  readonly affected: number;
  readonly ids: readonly string[];
  readonly body: string | null;
}

/**
 * Lock the practice, load, decide, store: one transaction whatever the number of records, in two round trips for a create
 * and two or three for a change.
 */
@CommandHandler(Write)
export class WriteHandler implements ICommandHandler<Write> {
  constructor(
    private readonly database: Database,
    private readonly queue: PracticeQueue,
    private readonly neighbours: Neighbours,
    private readonly deciders: Deciders,
    private readonly events: EventBus,
  ) {}

  async execute({ request, origin }: Write): Promise<Reply> {
    const { therapistId } = origin;
    const plan = planWrite(request, { catalog, therapistId, maxRows: MAX_ROWS });
    const log = { service: this.database.service, therapistId };
    try {
      const outcome = await this.writeAsking(log, plan, origin);
      this.events.publish(new Committed());
      return replyWrite(plan, outcome);
    } catch (error) {
      throw asProblem(error, plan.resource);
    }
  }

  /** Asks other services what it must know of them, outside any transaction, and then decides anew. */
  private async writeAsking(
    log: { service: string; therapistId: string },
    plan: WritePlan,
    origin: Origin,
  ): Promise<Outcome> {
    const answers = new Answers();
    for (;;) {
      try {
        return await this.queue.run(log.therapistId, () =>
          inTransaction(this.database.writes, log, (transaction) =>
            this.write(transaction, plan, { ...origin, answers }),
          ),
        );
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        await this.neighbours.ask(error.lookups, origin, answers);
      }
    }
  }

  private async write(
    transaction: Transaction,
    plan: WritePlan,
    origin: Origin & { answers: Answers },
  ): Promise<Outcome> {
    const { resource } = plan;
    // Its caller was told that we are away, and may do it again: done now, it would be done twice.
    if (origin.deadline < Date.now()) reject(tooLate);
    const decision = new Decision({
      catalog,
      resource,
      decider: this.deciders.of(resource),
      therapistId: origin.therapistId,
      now: instant(Date.now()),
      metadata: metadataOf(origin),
      answers: origin.answers,
    });
    const wishes = await wishesOf(transaction, plan, decision);
    checkAffected(plan, wishes.length);
    decision.decide(wishes);
    const ids = wishes.map(({ id }) => id);
    const stored = storedRepresentation(plan, decision.records(wishes));
    const wanted = plan.returning === null || stored !== null ? [] : [compileReturning(plan, ids)];
    const statements = decision.statements(transaction.position, wanted);
    const answers = await transaction.end(statements, plan.isDryRun ? 'ROLLBACK' : 'COMMIT');
    const read = wanted.map((statement) => answers[statements.indexOf(statement)]?.[0]?.[0] ?? '[]');
    return { affected: wishes.length, ids, body: stored ?? read[0] ?? null };
  }
}

const tooLate = {
  status: 503,
  code: 'PM503',
  message: 'The service has too much to do',
  headers: { 'Retry-After': '1' },
};
