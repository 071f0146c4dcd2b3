import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { AccountCall } from '../calls/call.js';
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
import { GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { factorAddedMail, recoveryCodeUsedMail } from '../notices/templates.js';
import { standingIn } from '../users/access.js';
import type { Granted } from '../sessions/session-issue.js';
import { Sessions } from '../sessions/sessions.js';
import type { EndedSession, SessionKey } from '../sessions/sessions.js';
import type { SecondFactorMethod } from '../sessions/proven.js';
import { Transactions } from '../store/transactions.js';
import { userById } from '../users/users.js';
import { FactorLock } from './factor-lock.js';
import { FactorSecrets } from '../keys/factor-secrets.js';
import { closeChallenge, isChallengeOpen, lockedFactor, passFactor } from './factors.js';
import type { StoredFactor } from './factors.js';
import { useRecoveryCode } from './recovery-codes.js';
import { stepOf } from './totp.js';

interface Passed {
  readonly granted: Granted;
  readonly method: SecondFactorMethod;
  readonly isFirstTime: boolean;
  readonly ended: readonly EndedSession[];
}

/** Checks the code of a factor. The session continues with new tokens, at the assurance level `aal2`. */
@Injectable()
export class VerifyFactor {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly lock: FactorLock,
    private readonly secrets: FactorSecrets,
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: OutgoingMail,
  ) {}

  async execute({ identity: { userId, sessionId }, id, fields }: AccountCall): Promise<Granted> {
    const { challenge_id: challengeId, code } = fields();
    if (sessionId === undefined) return refuse(sessionGone);
    if (!isUuid(id)) refuse(factorNotFound);
    if (!isUuid(challengeId)) refuse(challengeNotFound);
    if (!isText(code)) return refuse(missingFactorCode);
    await this.lock.require(userId);
    const passed = await this.transactions.run({ userId }, async (client) => {
      const factor = (await lockedFactor(client, userId, id)) ?? refuse(factorNotFound);
      const isOpen = await isChallengeOpen(client, userId, { id: challengeId, factorId: id });
      if (isOpen !== true) refuse(isOpen === undefined ? challengeNotFound : challengeExpired);
      await this.lock.take(userId);
      const outcome = await this.pass(client, { userId, sessionId }, { factor, code });
      if (outcome !== undefined) await closeChallenge(client, userId, challengeId);
      return outcome;
    });
    if (passed === undefined) return refuse(wrongFactorCode);
    await this.lock.forget(userId);
    await this.gateways.sessionsEnded(passed.ended);
    this.notify(passed);
    return passed.granted;
  }

  /** Returns undefined when the code is wrong or was used before. */
  private async pass(
    client: ClientBase,
    key: SessionKey,
    { factor, code }: { readonly factor: StoredFactor; readonly code: string },
  ): Promise<Passed | undefined> {
    const { userId } = key;
    const method = await this.methodOf(client, userId, { factor, code });
    if (method === undefined) return undefined;
    const session = (await this.sessions.strengthen(client, key, method)) ?? refuse(sessionGone);
    // Other sessions began with the password only.
    const isFirstTime = !factor.isVerified;
    const ended = isFirstTime ? await this.sessions.endWithoutSecondFactor(client, userId) : [];
    const user = (await userById(client, userId)) ?? refuse(userGone);
    const standing = await standingIn(client, { userId, therapistId: session.therapistId });
    return { granted: { user, role: undefined, ...standing, session }, method, isFirstTime, ended };
  }

  /** The kind of a code that is right, which is used up; undefined when it is wrong. */
  private async methodOf(
    client: ClientBase,
    userId: string,
    { factor, code }: { readonly factor: StoredFactor; readonly code: string },
  ): Promise<SecondFactorMethod | undefined> {
    const secret = this.secrets.open(factor.sealedSecret, factor.id);
    const step = secret && stepOf(secret, code, Date.now());
    if (step !== undefined && step > factor.lastStep) {
      await passFactor(client, userId, { id: factor.id, step });
      return 'totp';
    }
    // A recovery code proves nothing about an authenticator that is being added.
    const isRecovered = factor.isVerified && (await useRecoveryCode(client, { userId }, code));
    return isRecovered ? 'mfa/recovery_code' : undefined;
  }

  private notify({ granted: { user }, method, isFirstTime }: Passed): void {
    if (isFirstTime) this.mail.sendLater(async () => factorAddedMail(user.email));
    if (method !== 'totp') this.mail.sendLater(async () => recoveryCodeUsedMail(user.email));
  }
}
