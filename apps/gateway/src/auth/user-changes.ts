// What a user asks to change of its account, and the account as it would be then.

import { boundedMetadata, emailOf, metadataOf } from './auth-body.js';
import type { Fields } from './auth-body.js';
import { noPhone, refuse } from './errors.js';
import type { User } from './users.js';

/** Absent is what stays as it is. */
export interface UserChanges {
  readonly email: string | undefined;
  /** May still be anything. */
  readonly password: unknown;
  readonly currentPassword: unknown;
  readonly nonce: unknown;
  readonly data: object;
}

/** @throws {Rejection} when an address or the data can't be what they should be, or a phone is named */
export function userChangesOf(fields: Fields): UserChanges {
  if (isGiven(fields['phone'])) refuse(noPhone);
  return {
    email: emailOf(fields['email']),
    password: fields['password'] ?? undefined,
    currentPassword: fields['current_password'] ?? undefined,
    nonce: isGiven(fields['nonce']) ? fields['nonce'] : undefined,
    data: metadataOf(fields),
  };
}

/** The account with what was said about its user added; what is null is forgotten. */
export function withMetadata(user: User, data: object): User {
  const entries = Object.entries({ ...user.metadata, ...data }).filter(([, value]) => value !== null);
  return { ...user, metadata: boundedMetadata(Object.fromEntries(entries)) };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
