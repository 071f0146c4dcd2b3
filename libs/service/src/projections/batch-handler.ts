// Follows other services' events: keeps the mirror in step and lets policies react, both in one transaction with the event's
// version as the memory of it. So whatever is redelivered, in whatever order streams come, every event has its effect once.

import type { EventBus } from '@nestjs/cqrs';
import type { PublishedEvent } from '@practice/events';
import { catalog } from '@practice/contracts';
import { instant } from '@practice/resource';
import type { Change, Resource } from '@practice/resource';
import type { Statement } from '@practice/event-store';
import { Committed } from '../relay.js';
import type { TenantDatabase } from '../storage/tenant-database.js';
import type { CrossTenantConnection } from '../storage/cross-tenant-connection.js';
import { readRows, selectRows } from '../storage/tables.js';
import { inTransaction } from '../storage/transaction.js';
import type { Transaction } from '../storage/transaction.js';
import type { Deciders } from '../write/deciders.js';
import { Decision } from '../write/decision.js';
import { policyMetadata } from '../write/metadata.js';
import type { PracticeQueue } from '../write/practice-queue.js';
import type { Intent } from '../write/intent.js';
import { applyBatch } from './apply-batch.js';
import type { AnyPolicy, ProjectionParts } from './projection-parts.js';
import { mirrored, mirrorRows, readMirrorRows, selectMirrorRow } from './mirror-table.js';
import type { MirrorRow } from './mirror-table.js';
import { FetchedRecords } from '../references/record-owners.js';
import { resourceOf } from './resource-of.js';

/** The parts of its process that following needs. */
export interface BatchHandlerTools {
  readonly database: TenantDatabase;
  readonly crossTenant: CrossTenantConnection;
  readonly queue: PracticeQueue;
  readonly deciders: Deciders;
  readonly events: EventBus;
}

export class BatchHandler {
  constructor(
    private readonly parts: ProjectionParts,
    private readonly tools: BatchHandlerTools,
  ) {}

  /** Takes many in, those of a practice in their order. @returns for each whether its effect is committed */
  applyBatch(events: readonly PublishedEvent[]): Promise<boolean[]> {
    const { database, crossTenant } = this.tools;
    return applyBatch(database.service, { parts: this.parts, crossTenant }, events);
  }

  /** Takes one event in. Resolves when its effect is committed, or was before. */
  async follow(event: PublishedEvent): Promise<void> {
    const resource = resourceOf(event);
    if (resource === undefined || this.parts.mirrored[resource.name] === undefined) return;
    const log = { service: this.tools.database.service, therapistId: event.therapistId };
    await this.tools.queue.run(event.therapistId, () =>
      inTransaction(this.tools.database.writes, log, (transaction) =>
        this.apply(transaction, resource, event),
      ),
    );
    this.tools.events.publish(new Committed());
  }

  private policiesOn({ name }: Resource): readonly AnyPolicy[] {
    return this.parts.policies.filter(({ when }) => when === name);
  }

  private async apply(transaction: Transaction, resource: Resource, event: PublishedEvent): Promise<void> {
    const { service, therapistId } = transaction.log;
    const record = { resource: resource.name, id: event.streamId };
    const [rows = []] = await transaction.begin([selectMirrorRow(service, therapistId, record)]);
    const [known] = readMirrorRows(resource.name, rows);
    const version = known?.version ?? 0;
    if (event.version <= version) return;
    // Its predecessor is still on its way: refused now, it is delivered again.
    if (event.version > version + 1)
      throw new Error(`${event.type} ${event.version} came before ${version + 1}`);
    const row = mirrored(resource, { before: known?.row ?? null, event, columns: this.parts.mirrored });
    const change = { id: event.streamId, before: known?.row ?? null, after: row };
    const effects = await this.react(transaction, { resource, event, change });
    const next: MirrorRow = { ...record, version: event.version, row };
    await transaction.end([...effects, mirrorRows(service, therapistId, [next])], 'COMMIT');
  }

  private async react(
    transaction: Transaction,
    { resource, event, change }: { resource: Resource; event: PublishedEvent; change: Change },
  ): Promise<Statement[]> {
    const statements: Statement[] = [];
    let { position } = transaction;
    for (const policy of this.policiesOn(resource)) {
      const decision = this.decisionOf(policy, event);
      const intents = await intentsOf(transaction, policy, change);
      const lookups = decision.lookups(intents);
      if (lookups.length > 0) decision.load(lookups, await transaction.load(decision.statementsFor(lookups)));
      decision.decide(intents);
      statements.push(...decision.statements(position, []));
      position += decision.events.length;
    }
    return statements;
  }

  private decisionOf(policy: AnyPolicy, event: PublishedEvent): Decision {
    const resource = catalog.resources.get(policy.acts) as Resource;
    return new Decision({
      catalog,
      resource,
      decider: this.tools.deciders.of(resource),
      therapistId: event.therapistId,
      now: instant(Date.now()),
      metadata: policyMetadata(event),
      answers: new FetchedRecords(),
    });
  }
}

async function intentsOf(transaction: Transaction, policy: AnyPolicy, change: Change): Promise<Intent[]> {
  const concerned = policy.concerns(change);
  if (concerned === null) return [];
  const resource = catalog.resources.get(policy.acts) as Resource;
  const lookup = { resource: policy.acts, ...concerned };
  const [rows = []] = await transaction.load([selectRows(resource, transaction.log.therapistId, lookup)]);
  const records = new Map(readRows(resource, rows).map((record) => [String(record.row['id']), record]));
  return policy
    .react(
      change,
      [...records.values()].map(({ row }) => row),
    )
    .flatMap(({ id, command }) => {
      const record = records.get(id);
      return record === undefined ? [] : [{ id, command, state: record.row, version: record.version }];
    });
}
