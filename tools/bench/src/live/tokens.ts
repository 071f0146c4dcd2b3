// Tokens of members: another issuer signs them, so that thousands need no sign-in.

import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { ISSUER } from '../bench.config.js';

/** A token of a new owner of a practice. Each caller has its own token, as limits are counted for each member. */
export const memberToken = (secret: string, practice: string): string =>
  jwt.sign(
    {
      sub: randomUUID(),
      role: 'authenticated',
      aud: 'authenticated',
      therapist_id: practice,
      role_in_practice: 'owner',
    },
    secret,
    { expiresIn: '3h', issuer: ISSUER },
  );
