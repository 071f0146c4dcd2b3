import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { users } from '@practice/contracts';
import { closePractice as closeLog, run } from '@practice/log';
import { instant } from '@practice/resource';
import type { Decider } from '@practice/resource';
import { ErasureLedger, forgetAnswers } from '@practice/privacy';
import { RecordTransactions } from '@practice/write';
import type { RecordTransaction } from '@practice/write';
import type { ClientBase } from 'pg';
import { deleteAccount } from '../users/credentials.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import type { Mail } from '../notices/outgoing-mail.js';
import { practiceErasedMail } from '../notices/practice-templates.js';
import { practicesOf } from '../users/access.js';
import { ownersOf } from '../users/owners.js';
import { actForCaller } from '../store/transactions.js';
import { openBusErasure } from './bus-erasures.js';
import { closing, dismissing, ERASED_ADDRESS, erasing } from './closing.js';

/** Longer than an event takes to every service. */
const SETTLE_MS = 3_000;

/**
 * Erases a practice: this service's part, and the event by which the other services erase theirs, in one transaction. People who are
 * members of another practice keep their account.
 */
@Injectable()
export class ErasePractice {
  constructor(
    private readonly records: RecordTransactions,
    private readonly mail: OutgoingMail,
    private readonly ledger: ErasureLedger,
  ) {}

  /**
   * Takes the next step of a practice whose time has come: an open one, which the operator erases, is closed; a closed one is erased.
   * Otherwise nothing happens: it may have been reopened or erased meanwhile.
   * @returns whether it was erased now
   */
  async ifDue(therapistId: string): Promise<boolean> {
    const origin = { therapistId, requestId: randomUUID() };
    const mails = await this.records.run(origin, async (transaction) => {
      const { client, eraseAt, now } = transaction;
      const state = await stateOf(client, therapistId);
      if (state === undefined || state.isErased) return undefined;
      if (eraseAt === null || Date.parse(eraseAt) > Date.parse(now)) return undefined;
      return state.isClosed
        ? this.erase(transaction, therapistId, state.name)
        : close(transaction, therapistId, SETTLE_MS);
    });
    for (const mail of mails ?? []) this.mail.sendLater(async () => mail);
    return mails !== undefined;
  }

  /**
   * Erases at once a practice that the ledger has and the database not: it was restored from a backup. Nothing that other services
   * have accepted can arrive, as they erase by their own ledgers.
   * @returns whether it was erased now
   */
  async again(therapistId: string): Promise<boolean> {
    await this.records.run({ therapistId, requestId: randomUUID() }, async (transaction) => {
      const state = await stateOf(transaction.client, therapistId);
      if (state === undefined || state.isErased) return;
      const eraseAt = transaction.now;
      if (state.isClosed) await run(transaction.client, closeLog('identity', { therapistId, eraseAt }));
      else await close(transaction, therapistId, 0);
    });
    return this.ifDue(therapistId);
  }

  private async erase(transaction: RecordTransaction, therapistId: string, name: string): Promise<Mail[]> {
    const { client, now } = transaction;
    const mails = (await ownersOf(client, therapistId)).map((to) => practiceErasedMail(to, name));
    const members = await membersOf(client, therapistId);
    await transaction.changeBy(erasing as unknown as Decider, therapistId, { erased_at: now });
    await dismiss(transaction, therapistId);
    await client.query('DELETE FROM identity.invitations WHERE therapist_id = $1', [therapistId]);
    await run(client, forgetAnswers('identity', therapistId));
    await run(client, openBusErasure(therapistId));
    for (const userId of members) await this.eraseAccount(transaction, { therapistId, userId });
    await this.ledger.add({ therapistId, client: 'all' });
    return mails;
  }

  /** Erases the account of a person who is a member of no other practice. */
  private async eraseAccount(
    transaction: RecordTransaction,
    { therapistId, userId }: { readonly therapistId: string; readonly userId: string },
  ): Promise<void> {
    const { client } = transaction;
    await actForCaller(client, userId);
    const all = await practicesOf(client, userId);
    if (all.some((access) => access.therapistId !== therapistId)) return;
    await deleteAccount(client, userId);
    // The record of a user is in the practice that the user opened.
    await transaction.within(userId, async (home) => {
      await home.change(users, userId, { email: ERASED_ADDRESS, metadata: {} });
    });
  }
}

/** Closes an open practice for the time that the other services need to settle what they have accepted. */
async function close(
  transaction: RecordTransaction,
  therapistId: string,
  settleMs: number,
): Promise<undefined> {
  const { client, now } = transaction;
  const eraseAt = instant(Date.parse(now) + settleMs);
  await transaction.changeBy(closing as unknown as Decider, therapistId, {
    closed_at: now,
    erase_at: eraseAt,
  });
  await run(client, closeLog('identity', { therapistId, eraseAt }));
}

interface State {
  readonly name: string;
  readonly isClosed: boolean;
  readonly isErased: boolean;
}

async function stateOf(client: ClientBase, therapistId: string): Promise<State | undefined> {
  const { rows } = await client.query<State>(
    `SELECT name, closed_at IS NOT NULL AS "isClosed", erased_at IS NOT NULL AS "isErased"
     FROM identity.practices WHERE therapist_id = $1 AND id = $1`,
    [therapistId],
  );
  return rows[0];
}

async function membersOf(client: ClientBase, therapistId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT user_id AS id FROM identity.access WHERE therapist_id = $1 AND role IS NOT NULL ORDER BY user_id',
    [therapistId],
  );
  return rows.map(({ id }) => id);
}

/** Ends all memberships. Their effect ends the members' sessions, tokens and archives in the practice, and informs the gateways. */
async function dismiss(transaction: RecordTransaction, therapistId: string): Promise<void> {
  const { rows } = await transaction.client.query<{ id: string }>(
    'SELECT id FROM identity.memberships WHERE therapist_id = $1 ORDER BY id',
    [therapistId],
  );
  const values = { status: 'removed', display_name: null, email: ERASED_ADDRESS };
  for (const { id } of rows) await transaction.changeBy(dismissing as unknown as Decider, id, values);
}
