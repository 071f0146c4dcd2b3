import type { Identity } from '@practice/core';
import { isPracticeRole } from '@practice/core';
import type { AccountReply } from '../calls/call.js';

type Claims = Readonly<Record<string, unknown>>;

/** The identity in the access token of a reply; undefined when the reply has none. It was signed here, so it is not checked. */
export function issuedIn(reply: AccountReply): Identity | undefined {
  const claims = claimsIn(reply);
  if (claims === undefined) return undefined;
  const { sub, therapist_id: therapistId, session_id: sessionId, role_in_practice: role } = claims;
  const identity = { userId: String(sub), therapistId: String(therapistId), sessionId: String(sessionId) };
  return isPracticeRole(role) ? { ...identity, practiceRole: role } : undefined;
}

/** How the user of the access token in a reply has signed in: `password`, `otp`, `totp`, `mfa/recovery_code`. */
export function methodsIn(reply: AccountReply): string[] | undefined {
  const amr = claimsIn(reply)?.['amr'] as readonly { readonly method: string }[] | undefined;
  return amr?.map(({ method }) => method);
}

function claimsIn({ body, headers }: AccountReply): Claims | undefined {
  const fragment = new URLSearchParams(headers?.['Location']?.split('#')[1] ?? '');
  const token =
    (body as { access_token?: unknown } | undefined)?.access_token ?? fragment.get('access_token');
  const payload = typeof token === 'string' ? token.split('.')[1] : undefined;
  if (payload === undefined) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
}
