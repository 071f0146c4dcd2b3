// The state that a gateway needs to check tokens by itself, and the messages that change this state.

import type { AskMode, BreakGlass, Identity, PracticeRole } from '@practice/core';

/** The path of the assistant's endpoint below the URL of the API. Tokens for the endpoint have its address as their audience. */
export const ASSISTANT_PATH = '/mcp';

/** The subject on which the identity service announces changes. Each message is an `AnnouncedChange` as JSON, for every gateway. */
export const IDENTITY_CHANGES = 'practice.identity.changes';

/** The subject on which processes confirm changes. Each message is a `KnownChange` as JSON, for every identity process. */
export const IDENTITY_CHANGES_KNOWN = 'practice.identity.known';

/** The message of a process that checks tokens: it is alive, and knows a change. */
export interface KnownChange {
  /** The id of the process. */
  readonly process: string;
  /** The id of the announced change; absent in a message that only reports that the process is alive. */
  readonly change?: string;
  /** Whether the process is about to end. */
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

/** The changed role of a member, or a changed requirement of the practice. Access tokens from before the change have the earlier state. */
export interface GatewayMember {
  readonly userId: string;
  readonly therapistId: string;
  /** Null if the person is no longer a member. */
  readonly role: PracticeRole | null;
  /** Whether the practice requires a second factor; absent in announcements of a role, which do not change it. */
  readonly requiresMfa?: boolean;
}

/** The break-glass access of a session. */
export interface GlassBroken extends BreakGlass {
  readonly userId: string;
  readonly sessionId: string;
  readonly therapistId: string;
  /** The role of the member at that time. The access is no longer valid when the member has another role. */
  readonly role: PracticeRole;
}

/** The reply to the operation `gateway-state`: the complete current state. */
export interface GatewayState {
  /** The keys that verify access tokens. */
  readonly keys: readonly PublicJwk[];
  /** The ended sessions whose access tokens have not all expired. */
  readonly ended: readonly EndedSession[];
  /** The changed roles that some access tokens may not have yet. */
  readonly members: readonly GatewayMember[];
  /** The break-glass accesses that have not ended. */
  readonly brokenGlass: readonly GlassBroken[];
}

/** A change as it is announced. Processes confirm the id of the announcement once they know the change. */
export type AnnouncedChange = IdentityChange & { readonly announcement: string };

export type IdentityChange =
  | { readonly type: 'SessionsEnded'; readonly sessions: readonly EndedSession[] }
  | { readonly type: 'PersonalTokenRevoked'; readonly id: string }
  | { readonly type: 'MemberChanged'; readonly member: GatewayMember }
  | { readonly type: 'GlassBroken'; readonly access: GlassBroken }
  /** The receiver must load the state again: a key was added or withdrawn, or the service has restarted. */
  | { readonly type: 'StateChanged'; readonly withdrawnKey?: string };

/** Envelope fields of the operation `personal-token`. Only the hash of the token is sent. */
export interface PersonalTokenEnvelope {
  readonly tokenHash: string;
  /** The network address from which the token is used. */
  readonly address: string;
}

/** The reply to the operation `personal-token`, which is null for an unknown token. */
export interface KnownPersonalToken extends Pick<
  Identity,
  'therapistId' | 'userId' | 'practiceRole' | 'oauthClientId'
> {
  readonly id: string;
  readonly name: string;
  /** The scopes of the token; null if it permits everything that the user may do. */
  readonly scopes: readonly string[] | null;
  /** When an assistant with this token must ask the person. */
  readonly ask: AskMode;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The text that a gateway hashes instead of a token, for the grant of an OAuth client's access token. */
export const grantKey = (id: string): string => `grant ${id}`;

/** The prefix of personal access tokens. */
export const PERSONAL_TOKEN_MARK = 'pat_';
