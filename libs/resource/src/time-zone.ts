// Time zones, by the rules of Postgres.

import { Temporal } from 'temporal-polyfill';

/**
 * The instant of a local time, in milliseconds since the epoch. If a local time occurs twice because clocks go back, Postgres takes
 * the later instant. A local time that is skipped because clocks go forward is read with the offset before the change, which also
 * gives the later instant.
 * @param local `2026-05-01T10:00:00`
 * @param timezone a name from the time zone database
 */
export const localToInstant = (local: string, timezone: string): number =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(timezone, { disambiguation: 'later' }).epochMilliseconds;

/**
 * Whether a text is a name from the time zone database, such as `Europe/Berlin` or `UTC`. Offsets such as `+02:00` are not names, and
 * neither are abbreviations that only `Intl` knows, such as `PST`.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/.test(name)) return false;
  try {
    return new Temporal.ZonedDateTime(0n, name) instanceof Temporal.ZonedDateTime;
  } catch {
    return false;
  }
}
