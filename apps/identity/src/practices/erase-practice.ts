import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { users } from '@practice/contracts';
import { closePractice as closeLog, run, type Statement } from '@practice/log';
import { eraseIdempotency, ErasureLedger } from '@practice/privacy';
import { LOGGER, type Logger } from '@practice/process';
import { instant } from '@practice/resource';
import { CrossTenantConnection } from '@practice/storage';
import { type RecordTransaction, RecordTransactions } from '@practice/write';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { type Mail, OutgoingMail } from '../notices/outgoing-mail.js';
import { practiceErasedMail } from '../notices/practice-templates.js';
import { Credential } from '../store/account.entities.js';
import { statementOf, tablesOn, unbound } from '../store/database.js';
import { Access, BusErasure, Invitation } from '../store/practice.entities.js';
import { MembershipRecord, PracticeHead, PracticeRecord } from '../store/record.entities.js';
import { RepeatedWork } from '../store/repeated-work.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { type Member, ownersOf, practicesOf } from '../users/access.js';
import { closing, dismissing, ERASED_ADDRESS, erasing } from './close-practice.js';

/** Longer than an event takes to reach every service. */
const SETTLE_MS = 3_000;

/**
 * Erases a practice: this service's part, and the event by which the other services erase theirs, in one transaction. People who are
 * members of another practice keep their account.
 */
@Injectable()
export class ErasePractice {
  constructor(
    private readonly records: RecordTransactions,
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly ledger: ErasureLedger,
  ) {}

  /**
   * Takes the next step of a practice whose time has come. Closes an open practice, which the operator erases. Erases a closed practice.
   * Does nothing if the practice was reopened or erased meanwhile.
   * @returns whether it was erased now
   */
  async ifDue(therapistId: string): Promise<boolean> {
    // The records of the members are in the practices that the members opened.
    const otherPractices = await this.transactions.run({ therapistId }, (tables) =>
      membersOf(tables, therapistId),
    );
    const origin = { therapistId, otherPractices, requestId: randomUUID() };
    const mails = await this.records.run(origin, async (transaction) => {
      const { eraseAt, now } = transaction;
      const tables = tablesOn(transaction.client);
      const practice = await recordOf(tables, therapistId);
      if (practice === null || practice.erasedAt !== null) return undefined;
      if (eraseAt === null || Date.parse(eraseAt) > Date.parse(now)) return undefined;
      return practice.closedAt !== null
        ? this.erase(transaction, therapistId, practice.name)
        : close(transaction, therapistId, SETTLE_MS);
    });
    for (const mail of mails ?? []) this.mail.sendLater(mail);
    return mails !== undefined;
  }

  /**
   * Erases a practice at once if it is erased in the ledger but not in the database, which was restored from a backup. There is no wait
   * for events from other services, because these erase the practice by their own ledgers.
   * @returns whether it was erased now
   */
  async again(therapistId: string): Promise<boolean> {
    await this.records.run({ therapistId, requestId: randomUUID() }, async (transaction) => {
      const practice = await recordOf(tablesOn(transaction.client), therapistId);
      if (practice === null || practice.erasedAt !== null) return;
      const eraseAt = transaction.now;
      if (practice.closedAt !== null)
        await run(transaction.client, closeLog('identity', { therapistId, eraseAt }));
      else await close(transaction, therapistId, 0);
    });
    return this.ifDue(therapistId);
  }

  private async erase(transaction: RecordTransaction, therapistId: string, name: string): Promise<Mail[]> {
    const { now } = transaction;
    const tables = tablesOn(transaction.client);
    const mails = (await ownersOf(tables, therapistId)).map((to) => practiceErasedMail(to, name));
    const members = await membersOf(tables, therapistId);
    await transaction.changeBy(erasing, therapistId, { erased_at: now });
    await dismiss(transaction, therapistId);
    await tables.delete(Invitation, { therapistId });
    await run(transaction.client, eraseIdempotency('identity', therapistId));
    await tables.insert(BusErasure, { therapistId });
    for (const userId of members) await this.eraseAccount(transaction, { therapistId, userId });
    await this.ledger.add({ therapistId, client: 'all' });
    return mails;
  }

  /** Erases the account of a person who is a member of no other practice. */
  private async eraseAccount(transaction: RecordTransaction, { therapistId, userId }: Member): Promise<void> {
    const tables = tablesOn(transaction.client);
    await actForCaller(tables, userId);
    const all = await practicesOf(tables, userId);
    if (all.some((access) => access.therapistId !== therapistId)) return;
    // Its sessions, tokens and second factors are deleted with it.
    await tables.delete(Credential, { userId });
    await transaction.within(userId, async (home) => {
      await home.change(users, userId, { email: ERASED_ADDRESS, metadata: {} });
    });
  }
}

/** Closes an open practice until its erasure, so that the other services can finish the writes that they have accepted. */
async function close(
  transaction: RecordTransaction,
  therapistId: string,
  settleMs: number,
): Promise<undefined> {
  const { now } = transaction;
  const eraseAt = instant(Date.parse(now) + settleMs);
  await transaction.changeBy(closing, therapistId, {
    closed_at: now,
    erase_at: eraseAt,
  });
  await run(transaction.client, closeLog('identity', { therapistId, eraseAt }));
}

const recordOf = (tables: EntityManager, therapistId: string): Promise<PracticeRecord | null> =>
  tables.findOneBy(PracticeRecord, { therapistId, id: therapistId });

/** Ends all memberships. Their effect ends the members' sessions, tokens and archives in the practice, and informs the gateways. */
async function dismiss(transaction: RecordTransaction, therapistId: string): Promise<void> {
  const values = { status: 'removed', display_name: null, email: ERASED_ADDRESS };
  const memberships = await tablesOn(transaction.client).find(MembershipRecord, {
    where: { therapistId },
    order: { id: 'ASC' },
  });
  for (const { id } of memberships) await transaction.changeBy(dismissing, id, values);
}

async function membersOf(tables: EntityManager, therapistId: string): Promise<string[]> {
  const rows = await tables.find(Access, {
    where: { therapistId, role: Not(IsNull()) },
    order: { userId: 'ASC' },
  });
  return rows.map(({ userId }) => userId);
}

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
 * Erases practices whose time has come. The log itself is the work list: closed practices without the event of their erasure. So if a
 * process is killed, the next look finds the practice again, and several processes erase it only once.
 */
@Injectable()
export class EraseDue extends RepeatedWork {
  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly practices: ErasePractice,
    private readonly ledger: ErasureLedger,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(EVERY_MS, 'closed practices were not erased', logger);
  }

  /** The process serves only after this. @throws {Error} when a practice of the ledger cannot be erased again */
  override async onApplicationBootstrap(): Promise<void> {
    await this.applyLedger();
    await super.onApplicationBootstrap();
  }

  /** Erases the practices that came back with a restored backup. */
  private async applyLedger(): Promise<void> {
    const erased = (await this.ledger.read()).map(({ therapistId }) => therapistId);
    if (erased.length === 0) return;
    const rows = await this.crossTenant.run(notErased('h.therapistId = ANY (:erased)', { erased }));
    for (const [therapistId] of rows)
      if (await this.practices.again(String(therapistId)))
        this.logger.warn({ therapistId }, 'a practice of the ledger was erased again');
  }

  protected async work(): Promise<void> {
    const rows = await this.crossTenant.run(notErased('h.eraseAt <= now()'));
    await this.forEach(rows, async (therapistId) => {
      if (await this.practices.ifDue(therapistId)) this.logger.info({ therapistId }, 'a practice was erased');
    });
  }
}
