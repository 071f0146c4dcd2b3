/** The roles of people in a practice. */
export const practiceRoles = ['owner', 'therapist', 'front_desk', 'billing', 'read_only'] as const;
export type PracticeRole = (typeof practiceRoles)[number];

export const isPracticeRole = (value: unknown): value is PracticeRole =>
  practiceRoles.some((role) => role === value);

/** When the person behind a token is asked to confirm what an assistant does with it: never, above a threshold, or always. */
export const askModes = ['never', 'above', 'always'] as const;
export type AskMode = (typeof askModes)[number];

/** Break-glass access: in an emergency, a member also reads what the role `therapist` reads, for a limited time. */
export interface BreakGlass {
  /** The security event that records it. The access log names it with each read that it permits. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** The role whose reads a member with break-glass access has, beside the own ones. */
export const EMERGENCY_ROLE: PracticeRole = 'therapist';

/** Who is asking: taken from a verified token by the gateway and from nowhere else. */
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
  /** The personal access token or the grant of an OAuth client, if the caller presented one instead of a session's token. */
  readonly tokenId?: string;
  readonly tokenName?: string;
  /** The OAuth client that acts for the person by a grant. */
  readonly oauthClientId?: string;
  /** The scopes of the token, such as `clients:read`; absent: everything that the role may do. */
  readonly scopes?: readonly string[];
  /** When an assistant with this token must ask the person. A session's token has none. */
  readonly ask?: AskMode;
  /** The caller's network address. */
  readonly address?: string;
  /** Only in the identity of a session's reads; it may have ended. Writes are decided by `practiceRole`. */
  readonly breakGlass?: BreakGlass;
}

/**
 * The identity in which a caller reads what the own role does not. During break-glass access it has the role `therapist`; afterwards,
 * it is the caller's own and no longer names the access.
 * @param now milliseconds since the epoch
 */
export function asReader(identity: Identity, now: number = Date.now()): Identity {
  const { breakGlass, ...own } = identity;
  if (breakGlass === undefined) return identity;
  return breakGlass.until > now ? { ...identity, practiceRole: EMERGENCY_ROLE } : own;
}

/** The Postgres schema of a service, which is also the name of the role that serves its requests. */
export const schemaOf = (service: string): string => service.replaceAll('-', '_');
