import { Inject } from '@nestjs/common';
import { EXPORT_LINKS, exportPractice, practiceExports } from '@practice/contracts';
import { newId, problemFor, reject } from '@practice/core';
import { Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';
import { newRecord } from '@practice/resource';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { COUNTERS } from '../calls/counters.js';
import { addressOf } from '../users/users.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { exportMail } from '../notices/templates.js';
import { noteCall } from '../store/security-events.js';
import { Archive } from '../store/practice.entities.js';
import { ExportRecord } from '../store/record.entities.js';
import { tokenHash } from '../store/secrets.js';
import { actForCaller } from '../store/transactions.js';
import { lease } from './archives.js';
import { tablesOn } from '../store/database.js';

const A_DAY = { name: 'exports', points: 10, seconds: 86_400 };

/** Makes the row of an export and its link. The gateway that sent the call makes the archive. */
@Handles(exportPractice)
export class ExportPractice implements FunctionHandler<typeof exportPractice> {
  private readonly throttle: Throttle;

  constructor(
    private readonly recent: RecentSignIn,
    private readonly mail: OutgoingMail,
    @Inject(COUNTERS) counters: Counters,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'baseUrl'>,
  ) {
    this.throttle = new Throttle(counters, A_DAY);
  }

  /** @throws {Rejection} PM014 while another export runs, PM004 after ten in a day; or the sign-in is not recent */
  async call(proof: ArgumentsOf<typeof exportPractice>, call: WritingCall) {
    const { caller, transaction, beforeCommit, afterCommit, workSecret } = call;
    const { therapistId, userId, address = '' } = caller;
    const { now: requestedAt } = transaction;
    const tables = tablesOn(transaction.client);
    if (workSecret === undefined) throw new Error('the gateway has sent no secret for the export');
    await this.recent.require({ identity: caller, address }, proof);
    // The transaction holds the lock of the practice, so no other export begins meanwhile.
    if (await tables.existsBy(ExportRecord, { therapistId, status: 'running' })) reject(running);
    const seconds = await this.throttle.remainingSeconds(therapistId);
    if (seconds > 0) reject({ ...tooMany, headers: { 'Retry-After': String(seconds) } });
    // A dry run begins no export, so it does not count.
    beforeCommit(() => this.throttle.count(therapistId));
    const id = newId();
    const values = { requested_at: requestedAt, requested_by: userId, status: 'running', progress: 0 };
    const defaults = { therapistId, now: requestedAt, id: () => id };
    await transaction.create(practiceExports, newRecord(practiceExports, values, defaults));
    const archive = { therapistId, exportId: id, userId, requestedAt: new Date(requestedAt) };
    await tables.insert(Archive, { ...archive, secretHash: tokenHash(workSecret), aliveUntil: lease });
    await noteCall(transaction, 'practice_exported', { caller });
    await actForCaller(tables, userId);
    const email = (await addressOf(tables, userId)) ?? '';
    afterCommit(() => this.mail.sendLater(async () => exportMail(email)));
    const link = `${this.config.baseUrl}/${EXPORT_LINKS}/${id}?token=${workSecret}`;
    return { id, requested_at: requestedAt, status: 'running' as const, link };
  }
}

const running = problemFor('PM014');

const tooMany = problemFor('PM004', { message: 'the practice has begun ten exports within a day' });
