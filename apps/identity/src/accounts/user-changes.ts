// The changes that a call asks for, and the user's details as they are after it.

import { boundedMetadata, emailOf, metadataOf } from '../calls/fields.js';
import type { Fields } from '../calls/fields.js';
import { noPhone, refuse } from '../calls/problems.js';

/** Undefined means unchanged. */
export interface UserChanges {
  readonly email: string | undefined;
  /** Not checked yet. */
  readonly password: unknown;
  readonly data: object;
}

/** @throws {Rejection} when the address or the details are malformed, or a phone number is given */
export function userChangesOf(fields: Fields): UserChanges {
  if (isGiven(fields['phone'])) refuse(noPhone);
  return {
    email: emailOf(fields['email']),
    password: fields['password'] ?? undefined,
    data: metadataOf(fields),
  };
}

/** The details with `data` merged in; members that are null in `data` are removed. */
export function withMetadata(metadata: object, data: object): object {
  const entries = Object.entries({ ...metadata, ...data }).filter(([, value]) => value !== null);
  return boundedMetadata(Object.fromEntries(entries));
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
