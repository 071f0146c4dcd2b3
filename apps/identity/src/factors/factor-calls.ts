import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { EntityManager } from 'typeorm';
import { AccountCommand, type AccountHandler } from '../calls/call.js';
import { type Fields, isText, isUuid } from '../calls/fields.js';
import { problems, refuse, refuseViolated } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { FactorSecrets } from '../keys/signing-keys.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { factorAddedMail, factorRemovedMail, recoveryCodeUsedMail } from '../notices/templates.js';
import type { SecondFactorMethod, SessionKey } from '../sessions/proven.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { SessionIssue } from '../sessions/session-issue.js';
import { type Granted, Sessions } from '../sessions/sessions.js';
import { inFuture } from '../store/database.js';
import { Challenge, Factor, RecoveryCode } from '../store/session.entities.js';
import { Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import { hasSecondFactor, userById } from '../users/users.js';
import {
  enrollmentOf,
  FactorLock,
  insertChallenge,
  insertFactor,
  lockedFactor,
  newSecret,
  passFactor,
  requireHighestLevel,
  requireSecondFactor,
  stepOf,
} from './factors.js';
import { useRecoveryCode } from './recovery-codes.js';

const MAX_NAME = 100;

/** Adds an authenticator app. It takes effect when `VerifyFactor` accepts its first code. The picture and the secret are shown only here. */
export class EnrollFactor extends AccountCommand {}

@CommandHandler(EnrollFactor)
export class EnrollFactorHandler implements AccountHandler<EnrollFactor> {
  constructor(
    private readonly transactions: Transactions,
    private readonly recent: RecentSignIn,
    private readonly secrets: FactorSecrets,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
  ) {}

  async execute({ call }: EnrollFactor) {
    const { userId } = call.identity;
    const fields = call.fields();
    const { name, issuer } = requestOf(fields);
    await this.recent.require(call, fields);
    const [id, secret] = [randomUUID(), newSecret()];
    const email = await this.transactions
      .run({ userId }, async (tables) => {
        const user = (await userById(tables, userId)) ?? refuse(problems.userGone);
        await requireHighestLevel(tables, call.identity);
        const factor = { userId, id, friendlyName: name, sealedSecret: this.secrets.seal(secret, id) };
        if (!(await insertFactor(tables, factor))) refuse(problems.tooManyFactors);
        return user.email;
      })
      .catch(refuseViolated({ mfa_factors_name_key: problems.factorNameTaken(name) }));
    const shown = issuer ?? new URL(this.config.siteUrl).hostname;
    const totp = enrollmentOf(secret, shown, email);
    return { body: { id, type: 'totp', friendly_name: name, totp } };
  }
}

function requestOf(fields: Fields): { name: string; issuer: string | undefined } {
  const { factor_type: type, friendly_name: name, issuer } = fields;
  if (type === 'phone') refuse(problems.noPhoneFactor);
  if (type === 'webauthn') refuse(problems.noWebauthnFactor);
  if (type !== 'totp') refuse(problems.badFactorType);
  return { name: textOf(name) ?? '', issuer: textOf(issuer) };
}

/** A checked name. It has no colon, which separates the issuer from the address in the link of the picture. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const isName =
    typeof value === 'string' &&
    value.length <= MAX_NAME &&
    !/[\p{Cc}\p{Cs}:]/u.test(value) &&
    value.trim() !== '';
  return isName ? value.trim() : refuse(problems.badFactorName);
}

/** Opens a challenge for a factor. A code must answer it within five minutes. */
export class ChallengeFactor extends AccountCommand {}

@CommandHandler(ChallengeFactor)
export class ChallengeFactorHandler implements AccountHandler<ChallengeFactor> {
  constructor(
    private readonly transactions: Transactions,
    private readonly lock: FactorLock,
  ) {}

  async execute({ call: { identity, id } }: ChallengeFactor) {
    const { userId } = identity;
    if (!isUuid(id)) refuse(problems.factorNotFound);
    await this.lock.require(userId);
    const challenge = await this.transactions.run({ userId }, async (tables) => {
      if ((await lockedFactor(tables, userId, id)) === null) refuse(problems.factorNotFound);
      return insertChallenge(tables, userId, id);
    });
    return { body: { ...challenge, type: 'totp' } };
  }
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
    if (sessionId === undefined) return refuse(problems.sessionGone);
    if (!isUuid(id)) refuse(problems.factorNotFound);
    if (!isUuid(challengeId)) refuse(problems.challengeNotFound);
    if (!isText(code)) return refuse(problems.missingFactorCode);
    await this.lock.require(userId);
    const passed = await this.transactions.run({ userId }, async (tables) => {
      const factor = (await lockedFactor(tables, userId, id)) ?? refuse(problems.factorNotFound);
      const key = { userId, id: challengeId, factorId: id };
      // A wrong code leaves the challenge open.
      if (!(await tables.existsBy(Challenge, { ...key, expiresAt: inFuture })))
        refuse(
          (await tables.existsBy(Challenge, key)) ? problems.challengeExpired : problems.challengeNotFound,
        );
      // The enrollment may have begun before the account had a passkey.
      if (factor.verifiedAt === null) await requireHighestLevel(tables, { userId, sessionId });
      await this.lock.take(userId);
      const outcome = await this.pass(tables, { userId, sessionId }, { factor, code });
      if (outcome !== undefined) await tables.delete(Challenge, key);
      return outcome;
    });
    if (passed === undefined) return refuse(problems.wrongFactorCode);
    await this.lock.forget(userId);
    const { granted, method, isFirstTime, ended } = passed;
    await this.gateways.sessionsEnded(ended);
    const { email } = granted.user;
    if (isFirstTime) this.mail.sendLater(factorAddedMail(email));
    if (method !== 'totp') this.mail.sendLater(recoveryCodeUsedMail(email));
    return this.issue.reply(granted, call);
  }

  /** Returns undefined when the code is wrong or was used before. */
  private async pass(
    tables: EntityManager,
    key: SessionKey,
    given: { readonly factor: Factor; readonly code: string },
  ) {
    const { userId } = key;
    const { factor } = given;
    const method = await this.methodOf(tables, userId, given);
    if (method === undefined) return undefined;
    const session = (await this.sessions.strengthen(tables, key, method)) ?? refuse(problems.sessionGone);
    // Other sessions began with the password only.
    const isFirstTime = factor.verifiedAt === null;
    const ended = isFirstTime ? await this.sessions.endWithoutSecondFactor(tables, userId) : [];
    const user = (await userById(tables, userId)) ?? refuse(problems.userGone);
    const standing = await standingIn(tables, { userId, therapistId: session.therapistId });
    const granted: Granted = { user, role: undefined, ...standing, session };
    return { granted, method, isFirstTime, ended };
  }

  /** The kind of a right code, which is used up; undefined for a wrong code. */
  private async methodOf(
    tables: EntityManager,
    userId: string,
    { factor, code }: { readonly factor: Factor; readonly code: string },
  ): Promise<SecondFactorMethod | undefined> {
    const secret = this.secrets.find(factor.sealedSecret, factor.id);
    const step = secret && stepOf(secret, code, Date.now());
    if (step !== undefined && step > Number(factor.lastStep)) {
      await passFactor(tables, factor, step);
      return 'totp';
    }
    // A recovery code proves nothing about an authenticator that is being added.
    const isRecovered = factor.verifiedAt !== null && (await useRecoveryCode(tables, { userId }, code));
    return isRecovered ? 'mfa/recovery_code' : undefined;
  }
}

/** Removes an authenticator app. The recovery codes are removed with the last app. */
export class UnenrollFactor extends AccountCommand {}

@CommandHandler(UnenrollFactor)
export class UnenrollFactorHandler implements AccountHandler<UnenrollFactor> {
  constructor(
    private readonly transactions: Transactions,
    private readonly recent: RecentSignIn,
    private readonly mail: OutgoingMail,
  ) {}

  async execute({ call }: UnenrollFactor) {
    const { id, identity } = call;
    const { userId } = identity;
    if (!isUuid(id)) refuse(problems.factorNotFound);
    await this.recent.require(call);
    const removed = await this.transactions.run({ userId }, async (tables) => {
      const { verifiedAt } = (await lockedFactor(tables, userId, id)) ?? refuse(problems.factorNotFound);
      const isVerified = verifiedAt !== null;
      if (isVerified) await requireSecondFactor(tables, identity);
      await tables.delete(Factor, { userId, id });
      const user = (await userById(tables, userId)) ?? refuse(problems.userGone);
      if (!hasSecondFactor(user.factors)) await tables.delete(RecoveryCode, { userId });
      return { isVerified, email: user.email };
    });
    if (removed.isVerified) this.mail.sendLater(factorRemovedMail(removed.email));
    return { body: { id } };
  }
}
