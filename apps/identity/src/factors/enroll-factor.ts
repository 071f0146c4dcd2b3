import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import type { AccountCall } from '../calls/call.js';
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
import { userById } from '../users/users.js';
import { FactorSecrets } from '../keys/factor-secrets.js';
import { hasSecondFactor, insertFactor } from './factors.js';
import { requireSecondFactor } from './second-factor.js';
import { enrollmentOf, newSecret } from './totp.js';
import type { Enrollment } from './totp.js';

const MAX_NAME = 100;

/** A new factor: the picture and the secret are shown this once. */
export interface EnrolledFactor {
  readonly id: string;
  readonly type: 'totp';
  readonly friendly_name: string;
  readonly totp: Enrollment;
}

/** Adds an authenticator app. It counts once `VerifyFactor` has seen its first code. */
@Injectable()
export class EnrollFactor {
  constructor(
    private readonly transactions: Transactions,
    private readonly recent: RecentSignIn,
    private readonly secrets: FactorSecrets,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
  ) {}

  async execute(call: AccountCall): Promise<EnrolledFactor> {
    const { userId, sessionId } = call.identity;
    const fields = call.fields();
    const { name, issuer } = requestOf(fields);
    await this.recent.require(call, fields);
    const [id, secret] = [randomUUID(), newSecret()];
    const email = await this.transactions
      .run({ userId }, async (client) => {
        const user = (await userById(client, userId)) ?? refuse(userGone);
        if (hasSecondFactor(user.factors)) await requireSecondFactor(client, { userId, sessionId });
        const factor = { id, name, sealedSecret: this.secrets.seal(secret, id) };
        if (!(await insertFactor(client, userId, factor))) refuse(tooManyFactors);
        return user.email;
      })
      .catch((error: unknown) => refuseTakenName(error, name));
    const shown = issuer ?? new URL(this.config.siteUrl).hostname;
    return { id, type: 'totp', friendly_name: name, totp: enrollmentOf(secret, shown, email) };
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
