// Applies one event of another service together with the reactions to it. The mirror's new version is stored in the same
// transaction as their effect, so however often the event is delivered, its effect happens once.

import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import { catalog } from '@practice/contracts';
import type { PublishedEvent } from '@practice/events';
import { instant } from '@practice/resource';
import { markedKeys, removeMarks } from '../references/deletion-marks.js';
import type { Transaction } from '../storage/transaction.js';
import { confirmDeletions } from '../write/confirm-deletions.js';
import { Deciders } from '../write/deciders.js';
import { Decision } from '../write/decision.js';
import { policyMetadata } from '../write/metadata.js';
import { UnitsOfWork } from '../write/unit-of-work.js';
import type { Outcome, RemoteKnowledge } from '../write/unit-of-work.js';
import { ApplyEvent } from './apply-event.command.js';
import { foldBatch, recordKey, recordsOf } from './fold-batch.js';
import type { Step } from './fold-batch.js';
import { moveRecords, readRecords, selectRecords } from './mirror-table.js';
import { PROJECTION_PARTS } from './projection-parts.js';
import type { ProjectionParts } from './projection-parts.js';
import { react } from './reactions.js';

/** How long reactions may wait for other services. The event is delivered again afterwards. */
const WITHIN_MS = 10_000;

const DONE: Outcome<void> = { kind: 'done', value: undefined };

@CommandHandler(ApplyEvent)
export class ApplyEventHandler implements ICommandHandler<ApplyEvent> {
  constructor(
    @Inject(PROJECTION_PARTS) private readonly parts: ProjectionParts,
    private readonly units: UnitsOfWork,
    private readonly deciders: Deciders,
  ) {}

  /** @throws {Error} when its predecessor was not applied yet, or it cannot be read: it must be delivered again */
  execute({ event }: ApplyEvent): Promise<void> {
    const { therapistId, metadata } = event;
    return this.units.run({
      therapistId,
      requestId: metadata.correlationId,
      deadline: Date.now() + WITHIN_MS,
      attempt: (transaction, known) => this.attempt(transaction, event, known),
    });
  }

  private async attempt(
    transaction: Transaction,
    event: PublishedEvent,
    known: RemoteKnowledge,
  ): Promise<Outcome<void>> {
    const { log } = transaction;
    const { token } = known.attempt;
    const [rows = [], marks = []] = await transaction.begin([
      selectRecords(log.service, recordsOf(this.parts, [event])),
      ...(token === null ? [] : [removeMarks(log, [token])]),
    ]);
    const held = new Map(readRecords(rows).map((record) => [recordKey(record), record]));
    const { steps, moves } = foldBatch(this.parts, { held, events: [event] }, { withReactions: true });
    const step = steps[0] as Step;
    if (step.kind === 'refused') throw step.error;
    if (step.kind !== 'applied') return DONE;
    const decision = this.decisionOf(transaction, event, known);
    const entries = await react(transaction, decision, step);
    if (entries.length > 0) return { kind: 'unknown records', entries };
    const asking = { attempt: known.attempt, marked: markedKeys(marks), isDryRun: false };
    const unconfirmed = await confirmDeletions(transaction, decision.deletions, asking);
    if (unconfirmed !== null) return unconfirmed;
    const statements = decision.statements(transaction.position);
    await transaction.end([...statements, moveRecords(log.service, moves)], 'COMMIT');
    return DONE;
  }

  private decisionOf({ log }: Transaction, event: PublishedEvent, { fetched }: RemoteKnowledge): Decision {
    const now = instant(Date.now());
    const { deciders } = this;
    return new Decision({ catalog, log, deciders, now, metadata: policyMetadata(event), fetched });
  }
}
