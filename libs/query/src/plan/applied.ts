import { reject } from '@practice/core';
import type { Preferences } from '../parse/preferences.js';

/** Which preferences have an effect on a request. The response does not repeat the others. */
export interface Effects {
  readonly resolution?: boolean;
  readonly missing?: boolean;
  readonly returns?: boolean;
  readonly affected?: boolean;
  readonly pages?: boolean;
}

/**
 * The value of Preference-Applied, in PostgREST's order; null if no preference was applied. It includes the instant of a read,
 * even if a parameter names it.
 */
export function appliedPreferences(preferences: Preferences, effects: Effects): string | null {
  const { resolution, missing, count, tx, handling, timezone, maxAffected, minAffected, asOf } = preferences;
  const isStrict = handling === 'strict';
  const applied = [
    entry('resolution', resolution, effects.resolution === true),
    entry('missing', missing, effects.missing === true),
    entry('return', preferences.return, effects.returns === true),
    entry('count', count),
    entry('tx', tx),
    entry('handling', handling),
    entry('timezone', timezone),
    entry('max-affected', maxAffected, effects.affected === true && isStrict),
    entry('min-affected', minAffected, effects.affected === true && isStrict),
    entry('metrics', preferences.metrics),
    entry('pages', effects.pages === true ? 'cursor' : null),
    entry('as-of', asOf === null ? null : `"${asOf}"`),
  ].filter((preference) => preference !== null);
  return applied.length === 0 ? null : applied.join(', ');
}

/** The value of Preference-Applied for a read that a replica has answered. */
export const appliedByReplica = (applied: string | null): string =>
  applied === null ? FROM_REPLICA : `${applied}, ${FROM_REPLICA}`;

const FROM_REPLICA = 'read=replica';

const entry = (name: string, value: string | number | null, hasEffect = true): string | null =>
  value === null || !hasEffect ? null : `${name}=${value}`;

/** @throws {Rejection} PGRST122 for an unknown preference with `handling=strict` */
export function checkStrictness({ handling, unknown }: Preferences): void {
  if (handling !== 'strict' || unknown.length === 0) return;
  reject('PGRST122', {
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${unknown.join(', ').slice(0, 300)}`,
  });
}
