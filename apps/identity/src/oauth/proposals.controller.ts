// The proposals of assistants: rows with an end, as the OAuth library has them.

import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import type { FrameRequest, Reply } from '@practice/bus';
import { type KeptProposal, PROPOSAL, PROPOSAL_SECONDS, type ProposalQuestion } from '@practice/contracts';
import type { AdapterPayload } from 'oidc-provider';
import { OauthPayloads } from './payloads.js';

const MODEL = 'Proposal';

@Controller()
export class ProposalsController {
  constructor(private readonly payloads: OauthPayloads) {}

  /** Replies with the proposal as it is afterwards; null if the id is unknown or the proposal has ended. */
  @MessagePattern(PROPOSAL)
  async proposal({ envelope, body }: FrameRequest<ProposalQuestion>): Promise<Reply> {
    return json(await this.answerTo(envelope, body));
  }

  private async answerTo(question: ProposalQuestion, body: Buffer): Promise<KeptProposal | null> {
    const { id, action } = question;
    switch (action) {
      case 'keep': {
        const content: unknown = JSON.parse(body.toString());
        return this.keep(id, { content, expiresAt: Date.now() + PROPOSAL_SECONDS * 1000 });
      }
      case 'find':
        return this.find(id);
      case 'answer':
        return this.change(id, ({ key }) => (key === undefined ? { answer: question.answer } : {}));
      case 'claim': {
        const isFirst = await this.payloads.claim(MODEL, id);
        return this.change(id, () => (isFirst ? { key: question.key } : {}));
      }
    }
  }

  private async find(id: string): Promise<KeptProposal | null> {
    const payload = await this.payloads.find(MODEL, id);
    return (payload?.['proposal'] as KeptProposal | undefined) ?? null;
  }

  private async change(
    id: string,
    changes: (found: KeptProposal) => Partial<KeptProposal>,
  ): Promise<KeptProposal | null> {
    const found = await this.find(id);
    if (found === null) return null;
    const changed = changes(found);
    // A second process that claims the proposal keeps nothing: it would keep what it has read before the first one's key.
    return Object.keys(changed).length === 0 ? found : this.keep(id, { ...found, ...changed });
  }

  private async keep(id: string, proposal: KeptProposal): Promise<KeptProposal> {
    const seconds = Math.max(1, (proposal.expiresAt - Date.now()) / 1000);
    await this.payloads.upsert(MODEL, { id, payload: { proposal } as AdapterPayload, seconds });
    return proposal;
  }
}

const json = (value: object | null): Reply => ({ status: 200, headers: {}, body: JSON.stringify(value) });
