// The questions about erasures between services. Identity asks about a practice, and the clients service about a client.

/** Asks whether a service has erased a client or a practice. The body is an `ErasureQuestion`, the reply an `ErasedPart` or null. */
export const ERASED_PART = 'erased-part';

/** Asks a service that has erased a client or a practice to erase its events that are still on the bus. The body is an `ErasureQuestion`. */
export const ERASE_FROM_BUS = 'erase-from-bus';

/** Asks identity to end the archives of a practice and to sign a certificate. The body has the `CertificateClaims`. */
export const CERTIFY_ERASURE = 'certify-erasure';

/** The claims of a certificate. Identity signs no others: with claims such as `aud`, a certificate could pass for another token. */
export const certificateClaims = [
  ...(['id', 'therapist_id', 'client_id', 'requested_at', 'requested_by'] as const),
  ...(['reason', 'completed_at', 'services'] as const),
] as const;

export type CertificateClaims = Readonly<Record<(typeof certificateClaims)[number], unknown>>;

/** Asks identity whether a caller has signed in recently, or has proved to be the owner of the account. */
export const RECENT_SIGN_IN = 'recent-sign-in';

export interface ErasureQuestion {
  /** The id of the client, or the id of the practice for the whole practice. */
  readonly clientId: string;
}

/** The finished part of a service in an erasure. */
export interface ErasedPart {
  /** The number of events whose values are erased. */
  readonly events: number;
  readonly erased_at: string;
  /** The last position of the practice's log in the service. */
  readonly position: number;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
}

/** A caller, with the proofs that a body may contain that the caller is the owner of the account. */
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
