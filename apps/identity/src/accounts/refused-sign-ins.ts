// Refused sign-ins of accounts that exist. Anyone can cause them, so only a few of an account are recorded in an hour, and few
// are recorded at the same time.

import { Inject, Injectable } from '@nestjs/common';
import type { SecurityEventKind } from '@practice/contracts';
import { Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';
import { RecordTransactions } from '@practice/write';
import type { AccountCall } from '../calls/call.js';
import { credentialsOf } from '../calls/fields.js';
import { COUNTERS } from '../calls/counters.js';
import { Credential } from '../store/account.entities.js';
import { accessOf } from '../users/access.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { note } from '../store/security-events.js';

const AN_HOUR = { name: 'recorded-refusals', points: 10, seconds: 3600 };
const AT_ONCE = 4;

@Injectable()
export class RefusedSignIns {
  private readonly throttle: Throttle;
  private underWay = 0;

  constructor(
    private readonly records: RecordTransactions,
    private readonly transactions: Transactions,
    @Inject(COUNTERS) counters: Counters,
  ) {
    this.throttle = new Throttle(counters, AN_HOUR);
  }

  /** A wrong password, or one for a locked account. */
  async signIn(call: AccountCall): Promise<void> {
    const { email } = credentialsOf(call.fields());
    await this.few(email, async () => {
      const user = await this.userOf(email);
      if (user !== undefined) await this.record(call, { ...user, kind: 'sign_in_refused' });
    });
  }

  /** A wrong code of a second factor. */
  async code(call: AccountCall): Promise<void> {
    const { therapistId, userId, sessionId } = call.identity;
    const by = sessionId === undefined ? { userId } : { userId, sessionId };
    await this.few(userId, () =>
      this.record(call, { therapistId, userId, kind: 'second_factor_refused', by }),
    );
  }

  private async few(key: string, work: () => Promise<unknown>): Promise<void> {
    if (this.underWay >= AT_ONCE || (await this.throttle.take(key)) > 0) return;
    this.underWay += 1;
    await work().finally(() => (this.underWay -= 1));
  }

  /** The user of an address, and the practice in which the next sign-in would begin. */
  private userOf(email: string): Promise<{ userId: string; therapistId: string } | undefined> {
    return this.transactions.run({ presented: email }, async (tables) => {
      const credential = await tables.findOneBy(Credential, { email });
      if (credential === null) return undefined;
      const { userId, therapistId: preferred } = credential;
      await actForUser(tables, userId);
      const access = await accessOf(tables, userId, preferred);
      return access && { userId, therapistId: access.therapistId };
    });
  }

  private record(
    { trace, address }: AccountCall,
    event: {
      therapistId: string;
      userId: string;
      kind: SecurityEventKind;
      by?: { userId: string; sessionId?: string };
    },
  ): Promise<unknown> {
    const { therapistId } = event;
    return this.records.run({ therapistId, ...trace }, (transaction) =>
      note(transaction, { ...event, address }),
    );
  }
}
