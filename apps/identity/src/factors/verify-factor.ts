import { CommandHandler } from '@nestjs/cqrs';
import type { EntityManager } from 'typeorm';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { isText, isUuid } from '../calls/fields.js';
import {
  challengeExpired,
  challengeNotFound,
  factorNotFound,
  missingFactorCode,
  refuse,
  sessionGone,
  userGone,
  wrongFactorCode,
} from '../calls/problems.js';
import type { EndedSession } from '@practice/contracts';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { factorAddedMail, recoveryCodeUsedMail } from '../notices/templates.js';
import { inFuture } from '../store/database.js';
import { standingIn } from '../users/access.js';
import { SessionIssue } from '../sessions/session-issue.js';
import type { Granted } from '../sessions/session-issue.js';
import { Sessions } from '../sessions/sessions.js';
import type { SecondFactorMethod, SessionKey } from '../sessions/proven.js';
import { Challenge } from '../store/session.entities.js';
import type { Factor } from '../store/session.entities.js';
import { Transactions } from '../store/transactions.js';
import { userById } from '../users/users.js';
import { FactorLock } from './factor-lock.js';
import { FactorSecrets } from '../keys/factor-secrets.js';
import { lockedFactor, passFactor } from './factors.js';
import { useRecoveryCode } from './recovery-codes.js';
import { stepOf } from './totp.js';

interface Passed {
  readonly granted: Granted;
  readonly method: SecondFactorMethod;
  readonly isFirstTime: boolean;
  readonly ended: readonly EndedSession[];
}

/** Checks the code of a factor. The session continues with new tokens, at the assurance level `aal2`. */
export class VerifyFactor extends AccountCommand {}

@CommandHandler(VerifyFactor)
export class VerifyFactorHandler implements AccountHandler<VerifyFactor> {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly issue: SessionIssue,
    private readonly lock: FactorLock,
    private readonly secrets: FactorSecrets,
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: OutgoingMail,
  ) {}

  async execute({ call }: VerifyFactor) {
    const { id, fields } = call;
    const { userId, sessionId } = call.identity;
    const { challenge_id: challengeId, code } = fields();
    if (sessionId === undefined) return refuse(sessionGone);
    if (!isUuid(id)) refuse(factorNotFound);
    if (!isUuid(challengeId)) refuse(challengeNotFound);
    if (!isText(code)) return refuse(missingFactorCode);
    await this.lock.require(userId);
    const passed = await this.transactions.run({ userId }, async (tables) => {
      const factor = (await lockedFactor(tables, userId, id)) ?? refuse(factorNotFound);
      const key = { userId, id: challengeId, factorId: id };
      // A wrong code leaves the challenge open.
      if (!(await tables.existsBy(Challenge, { ...key, expiresAt: inFuture })))
        refuse((await tables.existsBy(Challenge, key)) ? challengeExpired : challengeNotFound);
      await this.lock.take(userId);
      const outcome = await this.pass(tables, { userId, sessionId }, { factor, code });
      if (outcome !== undefined) await tables.delete(Challenge, key);
      return outcome;
    });
    if (passed === undefined) return refuse(wrongFactorCode);
    await this.lock.forget(userId);
    await this.gateways.sessionsEnded(passed.ended);
    this.notify(passed);
    return this.issue.reply(passed.granted, call);
  }

  /** Returns undefined when the code is wrong or was used before. */
  private async pass(
    tables: EntityManager,
    key: SessionKey,
    { factor, code }: { readonly factor: Factor; readonly code: string },
  ): Promise<Passed | undefined> {
    const { userId } = key;
    const method = await this.methodOf(tables, userId, { factor, code });
    if (method === undefined) return undefined;
    const session = (await this.sessions.strengthen(tables, key, method)) ?? refuse(sessionGone);
    // Other sessions began with the password only.
    const isFirstTime = factor.verifiedAt === null;
    const ended = isFirstTime ? await this.sessions.endWithoutSecondFactor(tables, userId) : [];
    const user = (await userById(tables, userId)) ?? refuse(userGone);
    const standing = await standingIn(tables, { userId, therapistId: session.therapistId });
    return { granted: { user, role: undefined, ...standing, session }, method, isFirstTime, ended };
  }

  /** The kind of a code that is right, which is used up; undefined when it is wrong. */
  private async methodOf(
    tables: EntityManager,
    userId: string,
    { factor, code }: { readonly factor: Factor; readonly code: string },
  ): Promise<SecondFactorMethod | undefined> {
    const secret = this.secrets.open(factor.sealedSecret, factor.id);
    const step = secret && stepOf(secret, code, Date.now());
    if (step !== undefined && step > Number(factor.lastStep)) {
      await passFactor(tables, factor, step);
      return 'totp';
    }
    // A recovery code proves nothing about an authenticator that is being added.
    const isRecovered = factor.verifiedAt !== null && (await useRecoveryCode(tables, { userId }, code));
    return isRecovered ? 'mfa/recovery_code' : undefined;
  }

  private notify({ granted: { user }, method, isFirstTime }: Passed): void {
    if (isFirstTime) this.mail.sendLater(async () => factorAddedMail(user.email));
    if (method !== 'totp') this.mail.sendLater(async () => recoveryCodeUsedMail(user.email));
  }
}
