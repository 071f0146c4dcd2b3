// Reads the bodies of auth calls. Malformed values are refused with the messages that clients know.

import { UNSTORABLE } from '@practice/resource';
import { problems, refuse } from './problems.js';

/** An e-mail address and the password given with it, which is not checked yet. */
export interface Credentials {
  readonly email: string;
  readonly password: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export { isUuidOfAnyCase as isUuid } from '@practice/core';

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const EMAIL = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}([.]${LABEL})*$`);
const MAX_EMAIL = 255;
/** In bytes. The user's details are part of every access token, so they must be small. */
const MAX_METADATA = 4096;

/**
 * The members of a body.
 * @throws {Rejection} `bad_json` when it is not a JSON object
 */
export function fieldsOf(body: Buffer): Fields {
  const text = body.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(problems.badJson(text === '' ? 'unexpected end of JSON input' : 'invalid JSON'));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(problems.badJson('an object is expected'));
  }
  return value as Fields;
}

/** @throws {Rejection} when the address is missing or malformed */
export function credentialsOf({ email, phone, password }: Fields): Credentials {
  if (isText(phone)) refuse(problems.noPhone);
  return { email: emailOf(email) ?? refuse(problems.missingEmail), password };
}

/**
 * The address in lower case; undefined when none is given.
 * @throws {Rejection} when it is malformed
 */
export function emailOf(email: unknown): string | undefined {
  if (email === undefined || email === null || email === '') return undefined;
  const address = typeof email === 'string' ? email.trim().toLowerCase() : '';
  return address.length <= MAX_EMAIL && EMAIL.test(address) ? address : refuse(problems.invalidEmail);
}

/** The user's details: a JSON object, or nothing. */
export function metadataOf({ data }: Fields): object {
  if (data === undefined || data === null) return {};
  if (typeof data !== 'object' || Array.isArray(data)) return refuse(problems.invalidData);
  return boundedMetadata(data);
}

/** @throws {Rejection} when the details do not fit into a token or cannot be stored */
export function boundedMetadata(data: object): object {
  const text = JSON.stringify(data);
  return Buffer.byteLength(text) <= MAX_METADATA && !UNSTORABLE.test(text)
    ? data
    : refuse(problems.invalidData);
}

/** The second form is Supabase's. Tokens of this form do not exist here, but clients expect "not found" rather than a format error. */
const REFRESH_TOKEN = /^([A-Za-z0-9_-]{32}|[a-z0-9]{12})$/;

/** @throws {Rejection} when it is missing or malformed */
export function refreshTokenOf({ refresh_token: token }: Fields): string {
  if (token === undefined || token === null || token === '') return refuse(problems.refreshTokenMissing);
  return typeof token === 'string' && REFRESH_TOKEN.test(token)
    ? token
    : refuse(problems.refreshTokenMalformed);
}
