// State that a gateway needs to check tokens on its own, and the messages that change it.

import type { AskMode, BreakGlass, PracticeRole } from '@practice/core';

/** The assistant's endpoint below the URL of the API. Tokens for it have its address as their audience. */
export const ASSISTANT_PATH = '/mcp';

/** Where the identity service announces changes: each message is an `AnnouncedChange` as JSON, for every gateway. */
export const IDENTITY_CHANGES = 'practice.identity.changes';

/** Where processes confirm what they know: each message is a `KnownChange` as JSON, for every identity process. */
export const IDENTITY_CHANGES_KNOWN = 'practice.identity.known';

/** A process that checks tokens is alive, and knows a change. */
export interface KnownChange {
  /** The id of the process. */
  readonly process: string;
  /** The id of the announced change; absent in a message that only says that the process is alive. */
  readonly change?: string;
  /** The process is about to end. */
  readonly ends?: boolean;
}

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

/** A standing in a practice that has changed: access tokens from before the change have another one. */
export interface GatewayMember {
  readonly userId: string;
  readonly therapistId: string;
  /** Null when the person is no longer a member. */
  readonly role: PracticeRole | null;
  /** The practice requires a second factor; absent in announcements of a role, which do not change it. */
  readonly requiresMfa?: boolean;
}

/** The break-glass access of a session. */
export interface GlassBroken extends BreakGlass {
  readonly userId: string;
  readonly sessionId: string;
  readonly therapistId: string;
  /** The role of the member at that time. With another role, the access counts no longer. */
  readonly role: PracticeRole;
}

/** Reply to the operation `gateway-state`: complete, as of now. */
export interface GatewayState {
  /** The keys that verify access tokens. */
  readonly keys: readonly PublicJwk[];
  /** The ended sessions whose access tokens have not all expired. */
  readonly ended: readonly EndedSession[];
  /** The changed roles that access tokens may not have yet. */
  readonly members: readonly GatewayMember[];
  /** The break-glass accesses that have not ended. A process of an earlier version does not send them. */
  readonly brokenGlass?: readonly GlassBroken[];
}

/** A change as it is announced. Processes confirm the id of the announcement once they know the change. */
export type AnnouncedChange = IdentityChange & { readonly announcement?: string };

export type IdentityChange =
  | { readonly type: 'SessionsEnded'; readonly sessions: readonly EndedSession[] }
  | { readonly type: 'PersonalTokenRevoked'; readonly id: string }
  | { readonly type: 'MemberChanged'; readonly member: GatewayMember }
  | { readonly type: 'GlassBroken'; readonly access: GlassBroken }
  /** Load the state again: a key was added or withdrawn, or the service has restarted. */
  | { readonly type: 'StateChanged'; readonly withdrawnKey?: string };

/** Envelope fields of the operation `personal-token`; only the hash of the token travels. */
export interface PersonalTokenEnvelope {
  readonly tokenHash: string;
  /** The network address that the token is used from. */
  readonly address: string;
}

/** Reply to the operation `personal-token`; null when there is no token. */
export interface KnownPersonalToken {
  readonly id: string;
  /** The OAuth client of a grant; absent for a token that its owner has made. */
  readonly oauthClientId?: string;
  readonly name: string;
  readonly therapistId: string;
  /** The person who made it, and that person's role in the practice. */
  readonly userId: string;
  readonly practiceRole: PracticeRole;
  /** Null: everything that the user may do. */
  readonly scopes: readonly string[] | null;
  /** When an assistant with it must ask the person. A process of an earlier version does not send it. */
  readonly ask?: AskMode;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The text that a gateway hashes, in place of a token, for the grant of an access token of an OAuth client. */
export const grantKey = (id: string): string => `grant ${id}`;

/** The prefix of personal access tokens. */
export const PERSONAL_TOKEN_MARK = 'pat_';
