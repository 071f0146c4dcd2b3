// The proposals of assistants: writes that were shown to a person and wait for confirmation. The identity service stores them, sealed,
// until they expire. Gateways read them.

/** The request of a gateway about a proposal. Its envelope has a `ProposalQuestion`. The reply is a `KeptProposal`, or null. */
export const PROPOSAL = 'proposal';

/** The time for which a proposal is valid, in seconds. */
export const PROPOSAL_SECONDS = 600;

export type ProposalQuestion = {
  /** The id, which is a secret: only someone who has seen the proposal knows it. */
  readonly id: string;
} & (
  | { /** The body is the content to store, as JSON. */ readonly action: 'keep' }
  | { readonly action: 'find' }
  | { readonly action: 'answer'; readonly answer: ProposalAnswer }
  | {
      /** The proposal is about to be executed, with an idempotency key. */ readonly action: 'claim';
      readonly key: string;
    }
);

/**
 * The request of a gateway whether a practice requires a second factor of a person: the page of a proposal may be about another
 * practice than the session. The envelope has `userId` and `therapistId`. The reply is a boolean, or null if the person has no access.
 */
export const REQUIRES_MFA = 'requires-mfa';

/** The answer of the person on the page of the API. */
export type ProposalAnswer = 'confirmed' | 'declined';

/** A stored proposal. */
export interface KeptProposal {
  /** The content as the gateway sent it. */
  readonly content: unknown;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Absent until the person has answered. */
  readonly answer?: ProposalAnswer;
  /** The idempotency key with which the proposal is or was executed. */
  readonly key?: string;
}
