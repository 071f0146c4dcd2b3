import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import {
  ChallengeFactorHandler,
  EnrollFactorHandler,
  UnenrollFactorHandler,
  VerifyFactorHandler,
} from './factor-calls.js';
import { FactorLock } from './factors.js';
import { CreateRecoveryCodes } from './recovery-codes.js';

const handlers = [EnrollFactorHandler, ChallengeFactorHandler, VerifyFactorHandler, UnenrollFactorHandler];

/** Second factors: authenticator apps and recovery codes. */
@Module({
  imports: [KeysModule, SessionsModule],
  providers: [FactorLock, ...handlers],
  exports: [FactorLock],
})
export class FactorsModule {}

export const factorFunctions = [CreateRecoveryCodes];
