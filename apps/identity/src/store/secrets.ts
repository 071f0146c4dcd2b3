// Secrets that are shown or mailed once: only their hashes are stored.

import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A random token in base64url. It gives access to its holder, so it must not be guessable. */
export const randomToken = (bytes = TOKEN_BYTES): string => randomBytes(bytes).toString('base64url');

/** Tokens are random, so one fast hash protects them as well as a slow one. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');
