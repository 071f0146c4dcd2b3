import type { Fields } from '../accounts/fields.js';
import { badExpiry, badReadOnly, badTokenName, refuse } from '../accounts/problems.js';
import type { TokenRequest } from './stored-tokens.js';

const MAX_NAME = 100;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;
/** The last day that both Postgres and JavaScript can represent. */
const LAST = Date.UTC(9999, 11, 31);

/**
 * The token that a body asks for.
 * @throws {Rejection} when a member of the body is malformed
 */
export function tokenRequestOf(fields: Fields, now: number): TokenRequest {
  const { name, expires_at: expiresAt = null, read_only: isReadOnly = false } = fields;
  const text = typeof name === 'string' ? name.trim() : '';
  // No control characters, as names are shown in lists and Postgres stores no NUL; no half surrogate pairs.
  if (text === '' || text.length > MAX_NAME || /[\p{Cc}\p{Cs}]/u.test(text)) return refuse(badTokenName);
  if (isReadOnly !== null && typeof isReadOnly !== 'boolean') return refuse(badReadOnly);
  return { name: text, expiresAt: expiryOf(expiresAt, now), isReadOnly: isReadOnly ?? false };
}

function expiryOf(value: unknown, now: number): Date | null {
  if (value === null) return null;
  const time = typeof value === 'string' && INSTANT.test(value) && isDay(value) ? Date.parse(value) : NaN;
  return time > now && time < LAST ? new Date(time) : refuse(badExpiry);
}

/** JavaScript reads the 30th of February as the 2nd of March. */
function isDay(instant: string): boolean {
  const day = instant.slice(0, 10);
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
