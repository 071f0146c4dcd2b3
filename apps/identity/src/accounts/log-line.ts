// The log line of a call of the auth API: the user and the kind of proof. It contains no address and no other value.

import type { AccountEnvelope, AccountRouteName } from '@practice/contracts';
import { type Identity, isPracticeRole } from '@practice/core';
import jwt from 'jsonwebtoken';
import type { AccountReply } from '../calls/call.js';

/** The identity in the access token of a reply; undefined when the reply has none. It was signed here, so it is not checked. */
export function issuedIn(reply: AccountReply): Identity | undefined {
  const claims = claimsIn(reply);
  if (claims === undefined) return undefined;
  const { sub, therapist_id: therapistId, session_id: sessionId, role_in_practice: role } = claims;
  const identity = { userId: String(sub), therapistId: String(therapistId), sessionId: String(sessionId) };
  return isPracticeRole(role) ? { ...identity, practiceRole: role } : undefined;
}

/** How the user of the access token in a reply has signed in: `password`, `otp`, `passkey`, `totp`, `mfa/recovery_code`. */
function methodsIn(reply: AccountReply): string[] | undefined {
  const amr = claimsIn(reply)?.['amr'] as readonly { readonly method: string }[] | undefined;
  return amr?.map(({ method }) => method);
}

function claimsIn({ body, headers }: AccountReply): Readonly<Record<string, unknown>> | undefined {
  const fragment = new URLSearchParams(headers?.['Location']?.split('#')[1] ?? '');
  const token =
    (body as { access_token?: unknown } | undefined)?.access_token ?? fragment.get('access_token');
  return typeof token === 'string' ? (jwt.decode(token, { json: true }) ?? undefined) : undefined;
}

type Presented = Pick<AccountEnvelope, 'identity' | 'route' | 'query'>;

/** The grant types of POST /token. Any other value that a caller sends is not logged. */
const GRANTS = ['password', 'refresh_token', 'pkce', 'id_token'];

const PROOFS: Partial<Record<AccountRouteName, string>> = {
  verify: 'mail',
  followLink: 'mail',
  verifyFactor: 'second factor',
  signInWithPasskey: 'passkey',
};

/** Fields of the log line. A field that is undefined is left out: the user of a refused sign-in is not known. */
export interface CallLine {
  readonly userId: string | undefined;
  /** The proof that the caller presented. */
  readonly proof: string | undefined;
  /** How the user of the session in the reply has signed in. */
  readonly methods: readonly string[] | undefined;
}

/** @param reply undefined if the call was refused */
export const callLine = ({ identity, route, query }: Presented, reply: AccountReply = {}): CallLine => ({
  userId: (identity ?? issuedIn(reply))?.userId,
  proof: route === 'token' ? grantOf(query) : PROOFS[route],
  methods: methodsIn(reply),
});

function grantOf(query: string): string | undefined {
  const grant = new URLSearchParams(query).get('grant_type');
  return GRANTS.find((known) => known === grant);
}
