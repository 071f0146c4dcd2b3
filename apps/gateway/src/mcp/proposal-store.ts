// The proposals of assistants, which the identity service stores. So any gateway can carry out a proposal of another gateway.

import type { Requester } from '@practice/bus';
import { PROPOSAL, REQUIRES_MFA } from '@practice/contracts';
import type { KeptProposal, ProposalAnswer, ProposalQuestion } from '@practice/contracts';
import { type Identity, isSuccess, type OutgoingEnvelope, type Problem, reject } from '@practice/core';
import { Inject, Injectable } from '@nestjs/common';
import { newSecret } from '../exports/archive-seal.js';
import { REQUESTER } from '../services/requesters.js';
import type { InnerCall } from './inner-calls.js';
import type { Json } from './tool.js';

/** A record before and after a write, as the person who confirms it reads it. */
export interface Change {
  readonly resource: string;
  readonly id: string | null;
  readonly before: Json | null;
  readonly after: Json | null;
}

/** A record with the version that it had when the write was proposed. */
export interface Expected {
  readonly resource: string;
  readonly id: string;
  readonly version: number;
}

/** A write that was tried and rolled back. */
export interface Draft {
  /** The same write, with every value that it would have set. */
  readonly command: InnerCall;
  readonly changes: readonly Change[];
  readonly expected: readonly Expected[];
  /** The number of records that it writes. */
  readonly records: number;
  /** Whether the write deletes something or is about money, so that its person must confirm it. */
  readonly isGrave: boolean;
}

export interface Proposal extends Draft {
  readonly holder: Holder;
  readonly tool: string;
  readonly args: Json;
  /** Whether a person must confirm the proposal on the page of the API. */
  readonly needsPage: boolean;
}

/** The holder of a proposal: a person in a practice, with an app or a token. */
type Holder = ReturnType<typeof holderOf>;

export const holderOf = ({ therapistId, userId, oauthClientId, tokenId }: Identity) => ({
  ...{ therapistId, userId },
  client: oauthClientId ?? tokenId ?? '',
});

export interface StoredProposal extends Proposal, Omit<KeptProposal, 'content'> {
  readonly id: string;
}

@Injectable()
export class ProposalStore {
  constructor(@Inject(REQUESTER) private readonly requester: Requester) {}

  async keep(requestId: string, proposal: Proposal): Promise<StoredProposal> {
    const id = newSecret();
    const kept = await this.ask(requestId, { id, action: 'keep' }, JSON.stringify(proposal));
    // The proposal exists, since it was just stored.
    return kept as StoredProposal;
  }

  /** The proposal; undefined if the id is unknown or the proposal has ended. */
  find(requestId: string, id: string): Promise<StoredProposal | undefined> {
    return this.ask(requestId, { id, action: 'find' });
  }

  answer(requestId: string, id: string, answer: ProposalAnswer): Promise<StoredProposal | undefined> {
    return this.ask(requestId, { id, action: 'answer', answer });
  }

  /** Claims the proposal for one write. The `key` of the result is the key of the first claim. */
  claim(requestId: string, id: string, key: string): Promise<StoredProposal | undefined> {
    return this.ask(requestId, { id, action: 'claim', key });
  }

  /** Whether the practice of a holder requires a second factor; null if the person has no access to it. */
  requiresMfa(requestId: string, { userId, therapistId }: Holder): Promise<boolean | null> {
    const envelope = { op: REQUIRES_MFA, requestId, userId, therapistId };
    return this.replyTo<boolean | null>(envelope);
  }

  private async ask(
    requestId: string,
    question: ProposalQuestion,
    body = '',
  ): Promise<StoredProposal | undefined> {
    const envelope = { op: PROPOSAL, requestId, ...question };
    const kept = await this.replyTo<KeptProposal | null>(envelope, body);
    if (kept === null) return undefined;
    const { content, ...state } = kept;
    return { ...(content as Proposal), ...state, id: question.id };
  }

  /** @throws {Rejection} if identity refuses the request, such as while its database is unavailable */
  private async replyTo<Answer>(envelope: OutgoingEnvelope<object>, body = ''): Promise<Answer> {
    const reply = await this.requester.request('identity', envelope, body);
    const answer: unknown = JSON.parse(reply.body.toString());
    return isSuccess(reply.status)
      ? (answer as Answer)
      : reject({ ...(answer as Problem), status: reply.status });
  }
}
