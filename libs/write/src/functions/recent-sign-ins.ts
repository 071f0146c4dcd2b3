import { RECENT_SIGN_IN, type SignInQuestion } from '@practice/contracts';
import { reject, type Identity, type Problem } from '@practice/core';
import type { InPractice, Requester } from '@practice/bus';
import { MARGIN_MS } from '../engine/time-left.js';
import type { FunctionCall } from './function-handler.js';

export type Proof = Pick<SignInQuestion, 'current_password' | 'nonce'>;

/** Asks identity for a proof that the caller is the owner of the account: see `recentProof` of the contracts. */
export class RecentSignIns {
  constructor(private readonly requester: Requester) {}

  /** @throws {Rejection} 403 `reauthentication_needed`, or what is wrong with the proof; 503 when identity is unavailable */
  async require(
    { therapistId, userId, sessionId, address = '' }: Identity,
    { current_password, nonce }: Proof,
    { requestId, deadline }: Pick<FunctionCall, 'requestId' | 'deadline'>,
  ): Promise<void> {
    const question: SignInQuestion = { userId, sessionId, address, current_password, nonce };
    const envelope = { op: RECENT_SIGN_IN, therapistId, requestId, deadline: deadline - MARGIN_MS };
    const reply = await this.requester.request<InPractice>('identity', envelope, JSON.stringify(question));
    if (reply.status !== 200)
      reject({ ...(JSON.parse(reply.body.toString()) as Problem), status: reply.status });
  }
}
