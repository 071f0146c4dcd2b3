// Follows the erasures until they are done. Every step can be repeated by any process, so an erasure continues after a crash.

import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { erasures, type CertificateClaims, type ErasedPart, type Erasure } from '@practice/contracts';
import { asSystem, run } from '@practice/log';
import { LOGGER, type Logger } from '@practice/process';
import { instant } from '@practice/resource';
import { CrossTenantConnection, TenantDatabase } from '@practice/storage';
import { ErasedParts } from '@practice/privacy';
import { RecordTransactions } from '@practice/write';
import { closeErasure, selectOpen, type OpenErasure } from './open-erasures.js';
import { OtherServices } from './other-services.js';

const WHILE_RUNNING_MS = 250;
const OTHERWISE_MS = 5_000;

/** The part of a service, in the format of `erasures.services`. */
type Part = { readonly status: 'running' } | ({ readonly status: 'done' } & ErasedPart);
type Parts = Readonly<Record<string, Part>>;

@Injectable()
export class ErasureSteps implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  /** The ids of the erasures that have a step in progress. */
  private readonly inProgress = new Set<string>();

  constructor(
    private readonly database: TenantDatabase,
    private readonly crossTenant: CrossTenantConnection,
    private readonly records: RecordTransactions,
    private readonly own: ErasedParts,
    private readonly others: OtherServices,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Looks for open erasures soon. */
  wake(): void {
    this.lookIn(WHILE_RUNNING_MS);
  }

  private lookIn(milliseconds: number): void {
    clearTimeout(this.timer);
    if (!this.isStopped) this.timer = setTimeout(() => void this.look(), milliseconds);
  }

  /** Starts the next step of each open erasure. An erasure that waits, for example for an unavailable service, does not delay the others. */
  private async look(): Promise<void> {
    this.lookIn(OTHERWISE_MS);
    try {
      for (const [therapistId, id] of await this.crossTenant.run(selectOpen))
        void this.step({ therapistId: String(therapistId), id: String(id) });
    } catch (err) {
      this.logger.warn({ err }, 'the open erasures cannot be read');
    }
  }

  private async step(open: OpenErasure): Promise<void> {
    if (this.inProgress.has(open.id)) return;
    this.inProgress.add(open.id);
    try {
      await this.goOn(open);
      this.wake();
    } catch (err) {
      this.logger.warn({ err }, 'an erasure cannot go on yet');
    }
    this.inProgress.delete(open.id);
  }

  private async goOn(open: OpenErasure): Promise<void> {
    const erasure = await this.read(open);
    if (erasure.status === 'running') {
      const before = erasure.services as Parts;
      const parts = await this.partsOf(open, erasure.client_id, before);
      if (Object.values(parts).some(({ status }) => status === 'running')) {
        if (statusesOf(parts) !== statusesOf(before)) await this.note(open, { services: parts });
        return;
      }
      for (const service of Object.keys(parts)) await this.eraseFromBus(service, open, erasure.client_id);
      const completed_at = instant(Date.now());
      const { certificate } = await this.others.certify(
        open.therapistId,
        claimsOf(erasure, parts, completed_at),
      );
      await this.note(open, { services: parts, status: 'done', completed_at, certificate });
    }
    await this.records.run({ therapistId: open.therapistId, requestId: randomUUID() }, ({ client }) =>
      run(client, closeErasure(open)),
    );
  }

  private async read({ therapistId, id }: OpenErasure): Promise<Erasure> {
    const text = 'SELECT _json FROM clients.erasures WHERE therapist_id = $1 AND id = $2';
    const [row] = await this.database.reads.run(asSystem(therapistId), { text, values: [therapistId, id] });
    return JSON.parse(String(row?.[0])) as Erasure;
  }

  /** The parts in their current state, with the current ends of the logs. */
  private async partsOf({ therapistId }: OpenErasure, clientId: string, before: Parts): Promise<Parts> {
    const parts = Object.keys(before).map(async (service): Promise<[string, Part]> => {
      const part =
        service === this.database.service
          ? await this.own.read(therapistId, clientId)
          : await this.others.erasedPart(service, therapistId, clientId);
      return [service, part === null ? { status: 'running' } : { status: 'done', ...part }];
    });
    return Object.fromEntries(await Promise.all(parts));
  }

  private async eraseFromBus(service: string, { therapistId }: OpenErasure, clientId: string): Promise<void> {
    if (service === this.database.service) await this.own.eraseFromBus(therapistId, clientId);
    else await this.others.eraseFromBus(service, therapistId, clientId);
  }

  private async note({ therapistId, id }: OpenErasure, changes: object): Promise<void> {
    await this.records.run({ therapistId, requestId: randomUUID() }, (transaction) =>
      transaction.change(erasures, id, changes as never),
    );
  }
}

/** The ends of the logs are not compared: each note moves the end of the own log. */
const statusesOf = (parts: Parts): string =>
  Object.values(parts)
    .map(({ status }) => status)
    .join();

const claimsOf = (erasure: Erasure, services: Parts, completed_at: string): CertificateClaims => {
  const { id, therapist_id, client_id, requested_at, requested_by, reason } = erasure;
  return { id, therapist_id, client_id, requested_at, requested_by, reason, completed_at, services };
};
