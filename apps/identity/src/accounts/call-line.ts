// The log line of a call of the auth API: the person, and the proof that was presented. Never an address or a value.

import type { AccountEnvelope, AccountRouteName } from '@practice/contracts';
import type { AccountReply } from '../calls/call.js';
import { issuedIn, methodsIn } from './issued-session.js';

type Presented = Pick<AccountEnvelope, 'identity' | 'route' | 'query'>;

/** Grants of POST /token. Another text of a caller does not get into a log. */
const GRANTS = ['password', 'refresh_token', 'pkce', 'id_token'];

const PROOFS: Partial<Record<AccountRouteName, string>> = {
  verify: 'mail',
  followLink: 'mail',
  verifyFactor: 'second factor',
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
