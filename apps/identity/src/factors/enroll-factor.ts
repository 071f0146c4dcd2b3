import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { DatabaseError } from 'pg';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import {
  badFactorName,
  badFactorType,
  factorNameTaken,
  noPhoneFactor,
  noWebauthnFactor,
  refuse,
  tooManyFactors,
  userGone,
} from '../calls/problems.js';
import type { Fields } from '../calls/fields.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { Transactions } from '../store/transactions.js';
import { hasSecondFactor, userById } from '../users/users.js';
import { FactorSecrets } from '../keys/factor-secrets.js';
import { insertFactor } from './factors.js';
import { requireSecondFactor } from './second-factor.js';
import { enrollmentOf, newSecret } from './totp.js';

const MAX_NAME = 100;

/** Adds an authenticator app. It counts once `VerifyFactor` has seen its first code. The picture and the secret are shown this once. */
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
    const { userId, sessionId } = call.identity;
    const fields = call.fields();
    const { name, issuer } = requestOf(fields);
    await this.recent.require(call, fields);
    const [id, secret] = [randomUUID(), newSecret()];
    const email = await this.transactions
      .run({ userId }, async (tables) => {
        const user = (await userById(tables, userId)) ?? refuse(userGone);
        if (hasSecondFactor(user.factors)) await requireSecondFactor(tables, { userId, sessionId });
        const factor = { userId, id, friendlyName: name, sealedSecret: this.secrets.seal(secret, id) };
        if (!(await insertFactor(tables, factor))) refuse(tooManyFactors);
        return user.email;
      })
      .catch((error: unknown) => refuseTakenName(error, name));
    const shown = issuer ?? new URL(this.config.siteUrl).hostname;
    const totp = enrollmentOf(secret, shown, email);
    return { body: { id, type: 'totp', friendly_name: name, totp } };
  }
}

function requestOf(fields: Fields): { name: string; issuer: string | undefined } {
  const { factor_type: type, friendly_name: name, issuer } = fields;
  if (type === 'phone') refuse(noPhoneFactor);
  if (type === 'webauthn') refuse(noWebauthnFactor);
  if (type !== 'totp') refuse(badFactorType);
  return { name: textOf(name) ?? '', issuer: textOf(issuer) };
}

/** No colon: it separates the issuer from the address in the link that the picture holds. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const isName =
    typeof value === 'string' &&
    value.length <= MAX_NAME &&
    !/[\p{Cc}\p{Cs}:]/u.test(value) &&
    value.trim() !== '';
  return isName ? value.trim() : refuse(badFactorName);
}

function refuseTakenName(error: unknown, name: string): never {
  if (error instanceof DatabaseError && error.constraint === 'mfa_factors_name_key') {
    refuse(factorNameTaken(name));
  }
  throw error;
}
