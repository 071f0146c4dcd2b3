import { Controller, Inject, Injectable } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { type FrameRequest, type InPractice, jsonReply, type Reply } from '@practice/bus';
import { CERTIFY_ERASURE, certificateClaims, personalServices, RECENT_SIGN_IN } from '@practice/contracts';
import type { Certificate, CertificateClaims, SignInQuestion } from '@practice/contracts';
import { LOGGER, type Logger } from '@practice/process';
import { CrossTenantConnection } from '@practice/storage';
import { endArchives } from '../exports/archives.js';
import { signedClaims, SigningKeys } from '../keys/signing-keys.js';
import { OtherServices } from '../notices/other-services.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { deletionOf, statementOf, unbound } from '../store/database.js';
import { BusErasure } from '../store/practice.entities.js';
import { RepeatedWork } from '../store/repeated-work.js';
import { Transactions } from '../store/transactions.js';

/** Answers the questions of the service that erases clients. */
@Controller()
export class ErasureController {
  constructor(
    private readonly recent: RecentSignIn,
    private readonly transactions: Transactions,
    private readonly keys: SigningKeys,
  ) {}

  @MessagePattern(RECENT_SIGN_IN)
  async recentSignIn({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    const { userId, sessionId, address, ...proof } = JSON.parse(body.toString()) as SignInQuestion;
    const identity = {
      therapistId: envelope.therapistId,
      userId,
      practiceRole: 'owner',
      ...(sessionId !== undefined && { sessionId }),
    } as const;
    await this.recent.require({ identity, address }, proof);
    return jsonReply(null);
  }

  /** Certifies an erasure. Ends the archives first: earlier archives contain the values, and a running export may have read them. */
  @MessagePattern(CERTIFY_ERASURE)
  async certify({ envelope: { therapistId }, body }: FrameRequest<InPractice>): Promise<Reply> {
    await this.transactions.run({ therapistId }, (tables) => endArchives(tables, { therapistId }));
    const given = JSON.parse(body.toString()) as Partial<CertificateClaims>;
    const claims = Object.fromEntries(certificateClaims.map((name) => [name, given[name]]));
    const certificate = signedClaims(await this.keys.active(), 'erasure+jwt', claims);
    return jsonReply({ certificate } satisfies Certificate);
  }
}

const EVERY_MS = 2_000;

/** Some of the practices on the list, chosen at random: the others are not delayed by practices that cannot be erased yet. */
const open = statementOf(unbound.createQueryBuilder(BusErasure, 'b').orderBy('random()').limit(100));

/**
 * Makes the services erase the events of erased practices from the bus, after all services have erased their own part. Every step can be
 * repeated, and a practice stays on the list until all steps are done. So if a process is killed, the next look finds the practice again.
 */
@Injectable()
export class EraseFromBus extends RepeatedWork {
  /** The practices whose erasure is in progress. */
  private readonly inProgress = new Set<string>();

  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly services: OtherServices,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(EVERY_MS, 'erased practices were not erased from the bus', logger);
  }

  protected async work(): Promise<void> {
    for (const [therapistId] of await this.crossTenant.run(open)) void this.eraseOne(String(therapistId));
  }

  /** Erases one practice from the bus. It delays no other practice, even if it fails or takes long. */
  private async eraseOne(therapistId: string): Promise<void> {
    if (this.inProgress.has(therapistId)) return;
    this.inProgress.add(therapistId);
    try {
      await this.erase(therapistId);
    } catch (err) {
      this.logger.warn({ err, therapistId }, 'a practice was not erased from the bus');
    }
    this.inProgress.delete(therapistId);
  }

  private async erase(therapistId: string): Promise<void> {
    for (const service of personalServices)
      if (!(await this.services.hasErased(service, therapistId))) return;
    for (const service of personalServices) await this.services.eraseFromBus(service, therapistId);
    await this.crossTenant.run(deletionOf(BusErasure, { therapistId }));
    this.logger.info({ therapistId }, 'a practice was erased from the bus');
  }
}
