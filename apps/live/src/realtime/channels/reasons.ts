// Problems as reasons for the client, in the form of Supabase's: a word for the kind of error, and a sentence.

import type { Problem } from '@practice/core';

const words: Readonly<Record<string, string>> = {
  PGRST301: 'MalformedJWT',
  PGRST302: 'Unauthorized',
  PGRST303: 'InvalidJWTToken',
  insufficient_aal: 'Unauthorized',
};

/** The reason of a refusal: `InvalidJWTToken: JWT expired`. */
export const reasonOf = ({ code, message }: Problem): string => `${words[code] ?? code}: ${message}`;

/** The reason for which a channel ends whose practice sends more than its share. */
export const tooManyBytes = 'Too many bytes per second';
