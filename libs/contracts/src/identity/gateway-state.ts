// State that a gateway needs to check tokens on its own, and the messages that change it.

/** Where the identity service announces changes: each message is an `IdentityChange` as JSON, for every gateway. */
export const IDENTITY_CHANGES = 'practice.identity.changes';

/** A public key as JSON Web Key (RFC 7517). */
export interface PublicJwk {
  readonly [member: string]: unknown;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** A session that has ended, and when the last of its access tokens expires (milliseconds since the epoch). */
export interface EndedSession {
  readonly id: string;
  readonly until: number;
}

/** Reply to the operation `gateway-state`: complete, as of now. */
export interface GatewayState {
  /** The keys that verify access tokens. */
  readonly keys: readonly PublicJwk[];
  /** The ended sessions whose access tokens have not all expired. */
  readonly ended: readonly EndedSession[];
}

export type IdentityChange =
  | { readonly type: 'SessionsEnded'; readonly sessions: readonly EndedSession[] }
  | { readonly type: 'PersonalTokenRevoked'; readonly id: string }
  /** Load the state again: a key was added or withdrawn, or the service has restarted. */
  | { readonly type: 'StateChanged'; readonly withdrawnKey?: string };

/** Envelope fields of the operation `personal-token`; only the hash of the token travels. */
export interface PersonalTokenEnvelope {
  readonly tokenHash: string;
}

/** Reply to the operation `personal-token`; null when there is no token. */
export interface KnownPersonalToken {
  readonly id: string;
  readonly therapistId: string;
  readonly isReadOnly: boolean;
  /** Milliseconds since the epoch; null when the token does not expire. */
  readonly expiresAt: number | null;
}

/** The prefix of personal access tokens. */
export const PERSONAL_TOKEN_MARK = 'pat_';
