import { Injectable } from '@nestjs/common';
import { ChallengeFactor } from './challenge-factor.js';
import { EnrollFactor } from './enroll-factor.js';
import { UnenrollFactor } from './unenroll-factor.js';
import { VerifyFactor } from './verify-factor.js';
import { SessionIssue } from '../sessions/session-issue.js';
import type { Handlers } from '../calls/call.js';

/** Second factors of the signed-in user. */
@Injectable()
export class FactorCalls {
  constructor(
    private readonly enroll: EnrollFactor,
    private readonly challenge: ChallengeFactor,
    private readonly verification: VerifyFactor,
    private readonly unenroll: UnenrollFactor,
    private readonly sessions: SessionIssue,
  ) {}

  readonly handlers: Handlers<'enrollFactor' | 'challengeFactor' | 'verifyFactor' | 'unenrollFactor'> = {
    enrollFactor: async (call) => ({ body: await this.enroll.execute(call) }),
    challengeFactor: async (call) => ({ body: await this.challenge.execute(call) }),
    verifyFactor: async (call) => ({
      body: await this.sessions.issue(await this.verification.execute(call), call.isForCookies),
    }),
    unenrollFactor: async (call) => ({ body: await this.unenroll.execute(call) }),
  };
}
