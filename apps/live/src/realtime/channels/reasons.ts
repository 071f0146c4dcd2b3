// Problems as reasons for the client, in the format of Supabase: a word for the kind of error, and a sentence.

import { type Identity, type Problem, problemFor } from '@practice/core';

const words: Readonly<Record<string, string>> = {
  PGRST301: 'MalformedJWT',
  PGRST302: 'Unauthorized',
  PGRST303: 'InvalidJWTToken',
  insufficient_aal: 'Unauthorized',
};
const messages: Readonly<Record<string, string>> = {
  insufficient_aal: 'AAL2 session is required to perform this action',
};

/** The reason of a refusal: `InvalidJWTToken: JWT expired`. */
export const reasonOf = ({ code, message }: Problem): string =>
  `${words[code] ?? code}: ${messages[code] ?? message}`;

/** The reason of a channel that ends because its practice sends more than its share. */
export const tooManyBytes = 'Too many bytes per second';

/** Whether the caller may send to channels. A personal token may send if it may write everything. */
export const maySend = ({ scopes }: Identity): boolean => scopes === undefined || scopes.includes('*:write');

export const scopeMissing: Problem = problemFor('42501', { message: 'The token lacks the scope *:write' });
