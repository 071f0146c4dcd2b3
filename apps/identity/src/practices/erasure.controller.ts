import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { CERTIFY_ERASURE, RECENT_SIGN_IN } from '@practice/contracts';
import type { Certificate, SignInQuestion } from '@practice/contracts';
import type { FrameRequest, InPractice, Reply } from '@practice/bus';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { endArchives } from '../exports/archives.js';
import { signedClaims } from '../keys/signed-claims.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { Transactions } from '../store/transactions.js';

/** Answers the questions of the service that erases clients. */
@Controller()
export class ErasureController {
  constructor(
    private readonly recent: RecentSignIn,
    private readonly transactions: Transactions,
    private readonly keys: SigningKeys,
  ) {}

  @MessagePattern(RECENT_SIGN_IN)
  async recentSignIn({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    const { userId, sessionId, address, ...proof } = JSON.parse(body.toString()) as SignInQuestion;
    const identity = {
      therapistId: envelope.therapistId,
      userId,
      practiceRole: 'owner',
      ...(sessionId !== undefined && { sessionId }),
    } as const;
    await this.recent.require({ identity, address }, proof);
    return json(null);
  }

  /** Archives from before the erasure have the values; a running export may have read them. */
  @MessagePattern(CERTIFY_ERASURE)
  async certify({ envelope: { therapistId }, body }: FrameRequest<InPractice>): Promise<Reply> {
    await this.transactions.run({ therapistId }, (tables) => endArchives(tables, { therapistId }));
    const claims = JSON.parse(body.toString()) as object;
    const certificate = signedClaims(await this.keys.active(), 'erasure+jwt', claims);
    return json({ certificate } satisfies Certificate);
  }
}

const json = (value: object | null): Reply => ({ status: 200, headers: {}, body: JSON.stringify(value) });
