import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ChallengeFactorHandler } from './challenge-factor.js';
import { CreateRecoveryCodes } from './create-recovery-codes.js';
import { EnrollFactorHandler } from './enroll-factor.js';
import { FactorLock } from './factor-lock.js';
import { UnenrollFactorHandler } from './unenroll-factor.js';
import { VerifyFactorHandler } from './verify-factor.js';

const handlers = [EnrollFactorHandler, ChallengeFactorHandler, VerifyFactorHandler, UnenrollFactorHandler];

/** Second factors: authenticator apps and recovery codes. */
@Module({
  imports: [KeysModule, SessionsModule],
  providers: [FactorLock, ...handlers],
  exports: [FactorLock],
})
export class FactorsModule {}

export const factorFunctions = [CreateRecoveryCodes];
