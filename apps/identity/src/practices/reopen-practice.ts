import { reopenPractice } from '@practice/contracts';
import { closePractice as closeLog, run } from '@practice/log';
import type { ArgumentsOf, Decider } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { addressOf } from '../users/credentials.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { practiceReopenedMail } from '../notices/practice-templates.js';
import { ownersOf } from '../users/owners.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller } from '../store/transactions.js';
import { reopening } from './closing.js';
import { nameOf } from './practice-name.js';

/** Opens the closed practice of the caller again. */
@Handles(reopenPractice)
export class ReopenPractice implements FunctionHandler<typeof reopenPractice> {
  constructor(private readonly mail: OutgoingMail) {}

  /** @throws {Rejection} PM017 when the practice is erased */
  async call(_: ArgumentsOf<typeof reopenPractice>, { caller, transaction, afterCommit }: WritingCall) {
    const { client, eraseAt } = transaction;
    const { therapistId, userId } = caller;
    if (eraseAt === null) return { therapist_id: therapistId, reopened: false };
    const name = (await nameOf(client, therapistId)) ?? '';
    await transaction.changeBy(reopening as unknown as Decider, therapistId, {
      closed_at: null,
      erase_at: null,
    });
    await run(client, closeLog('identity', { therapistId, eraseAt: null }));
    await noteCall(transaction, 'practice_reopened', { caller });
    const owners = await ownersOf(client, therapistId);
    await actForCaller(client, userId);
    const by = (await addressOf(client, userId)) ?? '';
    afterCommit(() => {
      for (const owner of owners) this.mail.sendLater(async () => practiceReopenedMail(owner, { name, by }));
    });
    return { therapist_id: therapistId, reopened: true };
  }
}
