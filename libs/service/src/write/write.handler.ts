import { CommandHandler, EventBus } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import type { Statement } from '@practice/event-store';
import { checkAffected, compileReturning, compileTargets, planWrite, replyWrite } from '@practice/query';
import type { DeletePlan, InsertPlan, Reply, UpdatePlan, WritePlan } from '@practice/query';
import { checkedValues, instant } from '@practice/resource';
import { MAX_ROWS } from '../limits.js';
import { Answers, Neighbours, Unanswered } from '../neighbours/neighbours.js';
import { Committed } from '../relay.js';
import { asProblem } from '../storage/database-errors.js';
import { Database } from '../storage/database.js';
import { inTransaction } from '../storage/transaction.js';
import type { Transaction } from '../storage/transaction.js';
import { Deciders } from './deciders.js';
import { Decision } from './decision.js';
import { creations, existingRecords } from './creations.js';
import { metadataOf } from './metadata.js';
import { PracticeQueue } from './practice-queue.js';
import { changeOf, deletionOf, forRecord } from './wish.js';
import type { Wish } from './wish.js';
import { readRows } from '../storage/tables.js';
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
    const decision = new Decision({
      catalog,
      resource,
      decider: this.deciders.of(resource),
      therapistId: origin.therapistId,
      now: instant(Date.now()),
      metadata: metadataOf(origin),
      answers: origin.answers,
    });
    const wishes =
      plan.kind === 'insert'
        ? await create(transaction, plan, decision)
        : await change(transaction, plan, decision);
    checkAffected(plan, wishes.length);
    decision.decide(wishes);
    const ids = wishes.map(({ id }) => id);
    const wanted: Statement[] = plan.returning !== null ? [compileReturning(plan, ids)] : [];
    const statements = decision.statements(transaction.position, wanted);
    const answers = await transaction.end(statements, plan.isDryRun ? 'ROLLBACK' : 'COMMIT');
    const body =
      wanted.map((statement) => answers[statements.indexOf(statement)]?.[0]?.[0] ?? '[]')[0] ?? null;
    return { affected: wishes.length, ids, body };
  }
}

/** One round trip: what the rules and references of new records will look at is known from the body. */
async function create(transaction: Transaction, plan: InsertPlan, decision: Decision): Promise<Wish[]> {
  const { wishes, givenIds } = creations(plan, decision.input.now);
  const lookups = decision.lookups(wishes);
  const existing = existingRecords(plan.resource, plan.therapistId, givenIds);
  const answers = await transaction.begin([...existing.statements, ...decision.statementsFor(lookups)]);
  decision.load(lookups, answers.slice(existing.statements.length));
  return existing.continued(wishes, answers);
}

/** What a change will look at is known only from the records it hits; most changes look at nothing else. */
async function change(
  transaction: Transaction,
  plan: UpdatePlan | DeletePlan,
  decision: Decision,
): Promise<Wish[]> {
  const { resource, therapistId } = plan;
  const values = plan.kind === 'update' ? checkedValues(resource, plan.changes, therapistId) : null;
  const [rows = []] = await transaction.begin([compileTargets(plan)]);
  const targets = readRows(resource, rows);
  const wishes = targets.map((target, index) =>
    values === null
      ? deletionOf(target)
      : forRecord(index, targets.length, () => changeOf(resource, values, target)),
  );
  const lookups = decision.lookups(wishes);
  if (lookups.length > 0) decision.load(lookups, await transaction.load(decision.statementsFor(lookups)));
  return wishes;
}
