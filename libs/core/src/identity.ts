/** The roles of people in a practice. */
export const practiceRoles = ['owner', 'therapist', 'front_desk', 'billing', 'read_only'] as const;
export type PracticeRole = (typeof practiceRoles)[number];

export const isPracticeRole = (value: unknown): value is PracticeRole =>
  practiceRoles.some((role) => role === value);

/** When the person must confirm the actions that an assistant does with their token: never, above a threshold, or always. */
export const askModes = ['never', 'above', 'always'] as const;
export type AskMode = (typeof askModes)[number];

/** Break-glass access: in an emergency, a member can read everything that the role `therapist` reads, for a limited time. */
export interface BreakGlass {
  /** The id of the security event that records the access. The access log has it for each read that it permits. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** The role with which a member with break-glass access reads, in addition to the member's own role. */
export const EMERGENCY_ROLE: PracticeRole = 'therapist';

/** The caller of a request. The gateway takes it from a verified token, and from nowhere else. */
export interface Identity {
  /** The practice (a uuid): every record, every lock and every statement belongs to one. */
  readonly therapistId: string;
  /** The person (a uuid); equal to `therapistId` for the person who opened the practice. */
  readonly userId: string;
  /** The person's name, or else the e-mail address, as the token has it. */
  readonly userName?: string;
  /** The person's role in the practice now. */
  readonly practiceRole: PracticeRole;
  /** The signed-in session. */
  readonly sessionId?: string;
  /** The assurance level of a session that has passed a second factor. */
  readonly aal?: 'aal2';
  /** The personal access token or the grant of an OAuth client, if the caller used it instead of a session's token. */
  readonly tokenId?: string;
  readonly tokenName?: string;
  /** The OAuth client that acts for the person by a grant. */
  readonly oauthClientId?: string;
  /** The scopes of the token, such as `clients:read`; absent if the token permits everything that the role may do. */
  readonly scopes?: readonly string[];
  /** When an assistant with this token must ask the person. A session's token has none. */
  readonly ask?: AskMode;
  /** The caller's network address. */
  readonly address?: string;
  /** Present only for reads of a session. The access may have ended. Writes depend only on `practiceRole`. */
  readonly breakGlass?: BreakGlass;
}

/**
 * The identity for reads that the caller's own role does not permit. During break-glass access it has the role `therapist`. After the
 * access has ended, it is the caller's own identity and no longer names the access.
 * @param now milliseconds since the epoch
 */
export function asReader(identity: Identity, now: number = Date.now()): Identity {
  const { breakGlass, ...own } = identity;
  if (breakGlass === undefined) return identity;
  return breakGlass.until > now ? { ...identity, practiceRole: EMERGENCY_ROLE } : own;
}

/** The Postgres schema of a service, which is also the name of the role that serves its requests. */
export const schemaOf = (service: string): string => service.replaceAll('-', '_');
