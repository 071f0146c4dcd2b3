// Applies other services' events. A batch takes two statements, whatever the number of practices: one reads the mirror, one
// moves it on. An event that policies react to is a batch of one within a transaction of its practice (`ApplyEvent`).

import type { CommandBus } from '@nestjs/cqrs';
import type { PublishedEvent } from '@practice/bus';
import type { CrossTenantConnection } from '@practice/storage';
import { ApplyEvent } from './apply-event.command.js';
import { foldBatch, MissingPredecessors, recordKey, recordsOf } from '../folding/fold-batch.js';
import type { FoldedBatch, Held } from '../folding/fold-batch.js';
import type { MissingEvents } from './missing-events.js';
import { moveRecords, readRecords, selectRecords } from '@practice/mirror';
import type { ProjectionParts } from '../folding/projection-parts.js';

export interface BatchHandlerTools {
  readonly crossTenant: CrossTenantConnection;
  readonly commands: Pick<CommandBus, 'execute'>;
  readonly missing: MissingEvents;
}

export class BatchHandler {
  constructor(
    private readonly service: string,
    private readonly parts: ProjectionParts,
    private readonly tools: BatchHandlerTools,
  ) {}

  /**
   * Applies the events that no policy reacts to. Most events are of this kind.
   * @param events the events of each practice are in their order
   * @returns for each event whether its effect is committed; the other events must be applied one by one
   */
  async applyBatch(events: readonly PublishedEvent[]): Promise<boolean[]> {
    const held = await this.read(events);
    const folded = foldBatch(this.parts, { held, events }, { withReactions: false });
    const missed = await this.move(folded);
    return folded.steps.map(
      (step) =>
        step.kind === 'unrelated' ||
        ((step.kind === 'repeated' || step.kind === 'applied') && !missed.has(step.key)),
    );
  }

  /** Applies one event and the reactions to it. Resolves once its effect is committed, now or earlier. */
  async apply(event: PublishedEvent): Promise<void> {
    if (recordsOf(this.parts, [event]).length === 0) return;
    try {
      await this.tools.commands.execute(new ApplyEvent(event));
    } catch (error) {
      if (!(error instanceof MissingPredecessors)) throw error;
      await this.tools.missing.before(event, error.version, (one) =>
        this.tools.commands.execute(new ApplyEvent(one)),
      );
    }
  }

  private async read(events: readonly PublishedEvent[]): Promise<Held> {
    const records = recordsOf(this.parts, events);
    if (records.length === 0) return new Map();
    const rows = await this.tools.crossTenant.run(selectRecords(this.service, records));
    return new Map(readRecords(rows).map((record) => [recordKey(record), record]));
  }

  /** @returns keys of the records that another process has moved meanwhile; the events of these records must be applied again */
  private async move({ moves }: FoldedBatch): Promise<Set<string>> {
    if (moves.length === 0) return new Set();
    const moved = await this.tools.crossTenant.run(moveRecords(this.service, moves));
    const done = new Set(moved.map((row) => row.join()));
    return new Set(moves.map(recordKey).filter((key) => !done.has(key)));
  }
}
