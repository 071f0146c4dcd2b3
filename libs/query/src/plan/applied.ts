import type { Preferences } from '../parse/preferences.js';

/** Which preferences have an effect on a request; the others are not echoed. */
export interface Effects {
  readonly resolution?: boolean;
  readonly missing?: boolean;
  readonly returns?: boolean;
  readonly affected?: boolean;
}

/** The value of Preference-Applied, in PostgREST's order; null when nothing was applied. */
export function appliedPreferences(preferences: Preferences, effects: Effects): string | null {
  const { resolution, missing, count, tx, handling, timezone, maxAffected, minAffected } = preferences;
  const isStrict = handling === 'strict';
  const applied = [
    said('resolution', resolution, effects.resolution === true),
    said('missing', missing, effects.missing === true),
    said('return', preferences.return, effects.returns === true),
    said('count', count),
    said('tx', tx),
    said('handling', handling),
    said('timezone', timezone),
    said('max-affected', maxAffected, effects.affected === true && isStrict),
    said('min-affected', minAffected, effects.affected === true && isStrict),
  ].filter((preference) => preference !== null);
  return applied.length === 0 ? null : applied.join(', ');
}

const said = (name: string, value: string | number | null, hasEffect = true): string | null =>
  value === null || !hasEffect ? null : `${name}=${value}`;
