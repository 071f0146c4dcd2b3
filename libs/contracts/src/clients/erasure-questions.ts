// The questions about erasures that services ask one another. Identity asks about a practice, the clients service about a client.

/** Whether a service has erased a client, or a practice: the body is an `ErasureQuestion`, the answer an `ErasedPart` or null. */
export const ERASED_PART = 'erased-part';

/** Asks a service that has erased a client, or a practice, to erase what the bus still has of its events: the body is an `ErasureQuestion`. */
export const ERASE_FROM_BUS = 'erase-from-bus';

/** Asks identity to end the archives of a practice and to sign a certificate: the body has the claims. */
export const CERTIFY_ERASURE = 'certify-erasure';

/** Asks identity whether a caller has signed in recently, or proves to be the owner of the account. */
export const RECENT_SIGN_IN = 'recent-sign-in';

export interface ErasureQuestion {
  /** The id of the practice stands for all of it. */
  readonly clientId: string;
}

/** A service's part of an erasure that is done. */
export interface ErasedPart {
  /** The number of events whose values are erased. */
  readonly events: number;
  readonly erased_at: string;
  /** The end of the practice's log in the service. */
  readonly position: number;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
}

/** A caller, with the proofs of the account's owner that a body may contain. */
export interface SignInQuestion {
  readonly userId: string;
  readonly sessionId: string | undefined;
  readonly address: string;
  readonly current_password: string | null;
  readonly nonce: string | null;
}

export interface Certificate {
  readonly certificate: string;
}
