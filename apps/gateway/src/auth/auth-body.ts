// The bodies of auth calls, read from bytes: whatever is not as it should be is refused in the words clients know.

import {
  badJson,
  invalidData,
  invalidEmail,
  missingEmail,
  noPhone,
  refreshTokenMalformed,
  refreshTokenMissing,
  refuse,
} from './errors.js';
import { isRefreshToken } from './sessions.js';

/** An address and the password given with it, which may still be anything. */
export interface Credentials {
  readonly email: string;
  readonly password: unknown;
}

/** Where a request comes from, kept with what it causes. */
export interface RequestTrace {
  readonly requestId: string;
  readonly traceparent: string | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/;
const MAX_EMAIL = 255;
/** What users say about themselves travels in every access token, so it has to be small. */
const MAX_METADATA = 4096;

/**
 * The fields of a body.
 * @throws {Rejection} `bad_json` when it is no JSON object
 */
export function fieldsOf(body: unknown): Fields {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : '';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(badJson(text === '' ? 'unexpected end of JSON input' : 'invalid JSON'));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(badJson('an object is expected'));
  }
  return value as Fields;
}

/** @throws {Rejection} when there is no address, or it can't be one */
export function credentialsOf({ email, phone, password }: Fields): Credentials {
  if (typeof phone === 'string' && phone !== '') refuse(noPhone);
  return { email: emailOf(email) ?? refuse(missingEmail), password };
}

/**
 * An address in the one way in which we write it; undefined where none is given.
 * @throws {Rejection} when it can't be one
 */
export function emailOf(email: unknown): string | undefined {
  if (email === undefined || email === null || email === '') return undefined;
  const address = typeof email === 'string' ? email.trim().toLowerCase() : '';
  return address.length <= MAX_EMAIL && EMAIL.test(address) ? address : refuse(invalidEmail);
}

/** What a new user says about itself: an object, or nothing. */
export function metadataOf({ data }: Fields): object {
  if (data === undefined || data === null) return {};
  if (typeof data !== 'object' || Array.isArray(data)) return refuse(invalidData);
  return boundedMetadata(data);
}

/** @throws {Rejection} when there is more of it than fits into a token */
export const boundedMetadata = (data: object): object =>
  JSON.stringify(data).length <= MAX_METADATA ? data : refuse(invalidData);

/** @throws {Rejection} when it is missing or can't be one */
export function refreshTokenOf({ refresh_token: token }: Fields): string {
  if (token === undefined || token === null || token === '') return refuse(refreshTokenMissing);
  return isRefreshToken(token) ? token : refuse(refreshTokenMalformed);
}
