// The proposals of assistants. They are stored like the rows of the OAuth library, and expire.

import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { type FrameRequest, jsonReply, type Reply } from '@practice/bus';
import { PROPOSAL, PROPOSAL_SECONDS, REQUIRES_MFA } from '@practice/contracts';
import type { KeptProposal, ProposalQuestion } from '@practice/contracts';
import { Transactions } from '../store/transactions.js';
import { type Member, standingIn } from '../users/access.js';
import { OauthPayloads } from './payloads.js';

const MODEL = 'Proposal';

@Controller()
export class ProposalsController {
  constructor(
    private readonly payloads: OauthPayloads,
    private readonly transactions: Transactions,
  ) {}

  /** Replies with the proposal as it is afterwards; null if the id is unknown or the proposal has ended. */
  @MessagePattern(PROPOSAL)
  async proposal({ envelope, body }: FrameRequest<ProposalQuestion>): Promise<Reply> {
    return jsonReply(await this.answerTo(envelope, body));
  }

  @MessagePattern(REQUIRES_MFA)
  async requiresMfa({ envelope }: FrameRequest<Member>): Promise<Reply> {
    const { userId } = envelope;
    const standing = await this.transactions.run({ userId }, (tables) => standingIn(tables, envelope));
    return jsonReply(standing?.isHeld === false ? standing.requiresMfa : null);
  }

  private async answerTo(question: ProposalQuestion, body: Buffer): Promise<KeptProposal | null> {
    const { id, action } = question;
    switch (action) {
      case 'keep':
        return this.keep(id, JSON.parse(body.toString()));
      case 'find':
        return this.find(id);
      case 'answer': {
        const found = await this.find(id);
        // A proposal that is carried out accepts no further answer.
        if (found === null || found.key !== undefined) return found;
        const answered = { ...found, answer: question.answer };
        const isOpen = await this.payloads.replace(MODEL, id, { proposal: answered });
        return isOpen ? answered : this.find(id);
      }
      case 'claim':
        return this.claim(id, question.key);
    }
  }

  /** Stores the key of the first caller in the statement that claims the proposal, so a killed process leaves no claim without a key. */
  private async claim(id: string, key: string): Promise<KeptProposal | null> {
    const found = await this.find(id);
    if (found === null) return null;
    const claimed = { ...found, key };
    const isFirst = await this.payloads.claim(MODEL, id, { proposal: claimed });
    return isFirst ? claimed : this.find(id);
  }

  private async find(id: string): Promise<KeptProposal | null> {
    const payload = await this.payloads.find(MODEL, id);
    return (payload?.['proposal'] as KeptProposal | undefined) ?? null;
  }

  private async keep(id: string, content: unknown): Promise<KeptProposal> {
    const proposal = { content, expiresAt: Date.now() + PROPOSAL_SECONDS * 1000 };
    await this.payloads.upsert(MODEL, { id, payload: { proposal }, seconds: PROPOSAL_SECONDS });
    return proposal;
  }
}
