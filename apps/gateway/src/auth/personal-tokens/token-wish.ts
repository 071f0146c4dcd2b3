import type { Fields } from '../auth-body.js';
import { badExpiry, badReadOnly, badTokenName, refuse } from '../errors.js';
import type { TokenWish } from './stored-tokens.js';

const MAX_NAME = 100;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;
/** Not a rule of ours: what Postgres and JavaScript both can hold. */
const LAST = Date.UTC(9999, 11, 31);

/**
 * What a body says of the token that is wanted.
 * @throws {Rejection} when a part of it can't be
 */
export function tokenWishOf(fields: Fields, now: number): TokenWish {
  const { name, expires_at: expiresAt = null, read_only: isReadOnly = false } = fields;
  const text = typeof name === 'string' ? name.trim() : '';
  // Control characters: a name is shown in lists, and Postgres holds no NUL. Half a surrogate pair is no text.
  if (text === '' || text.length > MAX_NAME || /[\p{Cc}\p{Cs}]/u.test(text)) return refuse(badTokenName);
  if (isReadOnly !== null && typeof isReadOnly !== 'boolean') return refuse(badReadOnly);
  return { name: text, expiresAt: expiryOf(expiresAt, now), isReadOnly: isReadOnly ?? false };
}

function expiryOf(value: unknown, now: number): Date | null {
  if (value === null) return null;
  const time = typeof value === 'string' && INSTANT.test(value) && isDay(value) ? Date.parse(value) : NaN;
  return time > now && time < LAST ? new Date(time) : refuse(badExpiry);
}

/** JavaScript takes the 30th of February for the 2nd of March. */
function isDay(instant: string): boolean {
  const day = instant.slice(0, 10);
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
