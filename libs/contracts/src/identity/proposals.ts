// The proposals of assistants: writes that were shown and wait for their confirmation. The identity service keeps them, sealed, until
// they end; gateways ask for them.

/** The request of a gateway about a proposal: its envelope has a `ProposalQuestion`. The reply is a `KeptProposal`, or null. */
export const PROPOSAL = 'proposal';

/** A proposal is good for so long. */
export const PROPOSAL_SECONDS = 600;

export type ProposalQuestion = {
  /** A secret: who knows it has seen the proposal. */
  readonly id: string;
} & (
  | { /** The body is what to keep, as JSON. */ readonly action: 'keep' }
  | { readonly action: 'find' }
  | { readonly action: 'answer'; readonly answer: ProposalAnswer }
  | {
      /** It is about to be carried out, under an idempotency key. */ readonly action: 'claim';
      readonly key: string;
    }
);

/** The answer of its person on the page of the API. */
export type ProposalAnswer = 'confirmed' | 'declined';

/** A proposal as it is kept. */
export interface KeptProposal {
  /** As the gateway has sent it. */
  readonly content: unknown;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Absent until its person has answered. */
  readonly answer?: ProposalAnswer;
  /** The idempotency key under which it is or was carried out. */
  readonly key?: string;
}
