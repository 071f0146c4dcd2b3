// Applies one event of another service together with the reactions to it. The mirror's new version is stored in the same
// transaction as their effect, so however often the event is delivered, its effect happens once.

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import { SYSTEM } from '@practice/log';
import type { PublishedEvent } from '@practice/bus';
import { ErasureLedger, erasureOfEvent } from '@practice/privacy';
import { TenantDatabase } from '@practice/storage';
import {
  confirmDeletions,
  removedMarks,
  Deciders,
  Decision,
  policyMetadata,
  UnitsOfWork,
} from '@practice/write';
import type { Resumable, Step, PracticeView, AttemptResult, RemoteKnowledge } from '@practice/write';
import { ApplyEvent } from './apply-event.command.js';
import { foldBatch, recordKey, recordsOf, type Step as FoldedStep } from '../folding/fold-batch.js';
import { moveRecords, readRecords, selectRecords } from '@practice/mirror';
import { PROJECTION_PARTS, type ProjectionParts } from '../folding/projection-parts.js';
import { react } from './reactions.js';

/** How long reactions may wait for other services. The event is delivered again afterwards. */
const WITHIN_MS = 10_000;

const DONE: AttemptResult<void> = { kind: 'done', value: undefined };

@CommandHandler(ApplyEvent)
export class ApplyEventHandler implements ICommandHandler<ApplyEvent> {
  constructor(
    @Inject(PROJECTION_PARTS) private readonly parts: ProjectionParts,
    private readonly units: UnitsOfWork,
    private readonly deciders: Deciders,
    private readonly database: TenantDatabase,
    private readonly ledger: ErasureLedger,
  ) {}

  /** @throws {Error} when the event's predecessor was not applied yet, or the event cannot be read. The event must be delivered again */
  async execute({ event }: ApplyEvent): Promise<void> {
    const { therapistId, metadata } = event;
    // Notes the erasure before it commits. The event is delivered again until the erasure has committed.
    const erasure = erasureOfEvent(this.database.service, event);
    if (erasure !== undefined) await this.ledger.add(erasure);
    return this.units.run({
      therapistId,
      writer: SYSTEM,
      requestId: metadata.correlationId,
      deadline: Date.now() + WITHIN_MS,
      // The event moves the mirror, which other writes of the practice read.
      batching: 'other practices',
      size: 1,
      begin: (known) => ({ decide: (view) => this.decide(view, event, known) }),
    });
  }

  private *decide(
    view: PracticeView,
    event: PublishedEvent,
    { attempt, fetched }: RemoteKnowledge,
  ): Resumable<Step<AttemptResult<void>>> {
    const { log } = view;
    const rows = yield* view.rows(selectRecords(log.service, recordsOf(this.parts, [event])));
    const held = new Map(readRecords(rows).map((record) => [recordKey(record), record]));
    const { steps, moves } = foldBatch(this.parts, { held, events: [event] }, { withReactions: true });
    const step = steps[0] as FoldedStep;
    if (step.kind === 'refused') throw step.error;
    if (step.kind !== 'applied') return { kind: 'settled', value: DONE };
    const { deciders } = this;
    const decision = new Decision(view, {
      ...{ deciders, metadata: policyMetadata(event), fetched },
      // An event names records that existed then: a refusal would block the events behind it.
      trustsReferences: true,
    });
    const { recordedAt: at } = event;
    const change = { therapistId: log.therapistId, at, ...step.change };
    const entries = yield* react(view, decision, { change, policies: step.policies });
    if (entries.length > 0) return { kind: 'settled', value: { kind: 'unknown records', entries } };
    const asking = { attempt, marked: yield* removedMarks(view, attempt), isDryRun: false };
    const unconfirmed = confirmDeletions(view, decision.deletions, asking);
    if (unconfirmed !== null) return unconfirmed;
    return {
      kind: 'stored',
      decided: decision.decided,
      ignoresQuota: true,
      how: 'COMMIT',
      after: [
        ...decision.mirrorUpdates,
        moveRecords(log.service, moves),
        ...step.tables.flatMap((table) => table.statements(log, step.change)),
      ],
      finish: () => DONE,
    };
  }
}
