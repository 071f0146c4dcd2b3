import { Inject } from '@nestjs/common';
import { EXPORT_LINKS, exportPractice, type PracticeExport, practiceExports } from '@practice/contracts';
import { newId, problemFor, reject } from '@practice/core';
import { type Counters, Throttle } from '@practice/limits';
import { type ArgumentsOf, type Changes, type EventOf, newRecord, deciding } from '@practice/resource';
import { type FunctionHandler, Handles, type WritingCall } from '@practice/write';
import { COUNTERS } from '../calls/call.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { exportMail } from '../notices/templates.js';
import { requireSession } from '../sessions/proven.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { tablesOn } from '../store/database.js';
import { Archive } from '../store/practice.entities.js';
import { ExportRecord } from '../store/record.entities.js';
import { tokenHash } from '../store/secrets.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller } from '../store/transactions.js';
import { addressOf } from '../users/users.js';
import { lease } from './archives.js';

const A_DAY = { name: 'exports', points: 10, seconds: 86_400 };

/** Creates the row of an export and its link. The gateway that sent the call makes the archive. */
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

  /** @throws {Rejection} PM014 while another export runs, PM004 after ten exports in a day, or when the sign-in is not recent */
  async call(proof: ArgumentsOf<typeof exportPractice>, call: WritingCall) {
    const { caller, transaction, beforeCommit, afterCommit, workSecret } = call;
    const { therapistId, userId, address = '' } = caller;
    const { now: requestedAt } = transaction;
    const tables = tablesOn(transaction.client);
    if (workSecret === undefined) throw new Error('the gateway has sent no secret for the export');
    // The transaction holds the lock of the practice, so no other export begins meanwhile.
    if (await tables.existsBy(ExportRecord, { therapistId, status: 'running' })) reject(running);
    const seconds = await this.throttle.remainingSeconds(therapistId);
    if (seconds > 0) reject({ ...tooMany, headers: { 'Retry-After': String(seconds) } });
    // After the other checks: a nonce can be used once.
    await this.recent.require({ identity: caller, address }, proof);
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
    // Sessions end before archives, so a new link does not outlive a recovery.
    await requireSession(tables, caller, { isKept: true });
    const email = (await addressOf(tables, userId)) ?? '';
    afterCommit(() => this.mail.sendLater(exportMail(email)));
    const link = `${this.config.baseUrl}/${EXPORT_LINKS}/${id}?token=${workSecret}`;
    return { id, requested_at: requestedAt, status: 'running' as const, link };
  }
}

const running = problemFor('PM014');

const tooMany = problemFor('PM004', { message: 'the practice has begun ten exports within a day' });

// The rules of the aggregate `export`. Only the service itself writes it. A gateway makes the archive.

type Exports = typeof practiceExports;

export const practiceExport = deciding(practiceExports, {
  created: (data) => [{ type: 'ExportRequested', data }],
  // An export that has ended stays as it is: a message may arrive twice or too late.
  changed: (changes, state) => (state?.status === 'running' ? [changed(state, changes)] : []),
});

function changed(state: PracticeExport, changes: Changes<Exports>): EventOf<Exports> {
  const { status, progress = state.progress, size = null, expires_at = null, problem = null } = changes;
  switch (status) {
    case 'done':
      return { type: 'ExportCompleted', data: { status, progress, size, expires_at } };
    case 'failed':
      return { type: 'ExportFailed', data: { status, problem } };
    default:
      return { type: 'ExportProgressed', data: { progress } };
  }
}
