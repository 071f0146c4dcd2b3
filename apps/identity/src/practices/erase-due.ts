import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { CrossTenantConnection, Recurring } from '@practice/storage';
import { ErasureLedger } from '@practice/privacy';
import type { Statement } from '@practice/log';
import { statementOf, unbound } from '../store/database.js';
import { PracticeHead } from '../store/record.entities.js';
import { ErasePractice } from './erase-practice.js';

const EVERY_MS = 2_000;

/** Practices whose log has no event of their erasure. */
const notErased = (condition: string, parameters: object = {}): Statement =>
  statementOf(
    unbound
      .createQueryBuilder(PracticeHead, 'h')
      .select('h.therapistId')
      .where(condition, parameters)
      .andWhere(
        `NOT EXISTS (SELECT FROM identity.events AS e WHERE e.therapist_id = h.therapist_id AND e.stream_id = h.therapist_id
           AND e.aggregate = 'practice' AND e.type = 'PracticeErased')`,
      ),
  );

/**
 * Erases practices whose time has come. The log itself is the list of the work: closed practices without the event of their erasure. So
 * a process that is killed leaves the practice to the next look, and several processes erase once.
 */
@Injectable()
export class EraseDue implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly recurring: Recurring;

  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly practices: ErasePractice,
    private readonly ledger: ErasureLedger,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.recurring = new Recurring(() => this.eraseAll(), {
      everyMs: EVERY_MS,
      onError: (err) => logger.error({ err }, 'closed practices were not erased'),
    });
  }

  /** The process serves when this is done. @throws {Error} when a practice of the ledger cannot be erased again */
  async onApplicationBootstrap(): Promise<void> {
    await this.applyLedger();
    this.recurring.start();
  }

  onApplicationShutdown(): void {
    this.recurring.stop();
  }

  /** Erases the practices that a restored backup has again. */
  private async applyLedger(): Promise<void> {
    const erased = (await this.ledger.read()).map(({ therapistId }) => therapistId);
    if (erased.length === 0) return;
    const rows = await this.crossTenant.run(notErased('h.therapistId = ANY (:erased)', { erased }));
    for (const [therapistId] of rows)
      if (await this.practices.again(String(therapistId)))
        this.logger.warn({ therapistId }, 'a practice of the ledger was erased again');
  }

  private async eraseAll(): Promise<void> {
    const rows = await this.crossTenant.run(notErased('h.eraseAt <= now()'));
    for (const [therapistId] of rows) await this.eraseOne(String(therapistId));
  }

  /** One that fails does not keep others waiting. */
  private async eraseOne(therapistId: string): Promise<void> {
    try {
      if (await this.practices.ifDue(therapistId)) this.logger.info({ therapistId }, 'a practice was erased');
    } catch (err) {
      this.logger.error({ err, therapistId }, 'a practice was not erased');
    }
  }
}
