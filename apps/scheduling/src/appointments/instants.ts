// The instants of an appointment in the time zone of the practice.

import { practiceSettings } from '@practice/contracts';
import type { Appointment, PracticeSettings, appointments } from '@practice/contracts';
import { reject } from '@practice/core';
import { instant, lookup, type Changes, type Lookup, type LookupContext } from '@practice/resource';
import { instantsOf } from '@practice/zone';

type Span = Pick<Appointment, 'date' | 'start_time' | 'end_time'>;
type Instants = Pick<Appointment, 'starts_at' | 'ends_at' | 'time_zone'>;

/** Callers may repeat their values, and cannot set others. */
const columns = ['starts_at', 'ends_at'] as const;

/** Everything that a decision has to know of the settings. */
export const settingsLookup = (practice: string): Lookup => lookup(practiceSettings, 'id', [practice]);

/** The settings of the practice; undefined if none were ever changed. */
export const settingsOf = (practice: string, context: LookupContext): PracticeSettings | undefined =>
  context.rows(practiceSettings, 'id', practice)[0];

/** The zone of the practice. */
export const zoneOf = (practice: string, context: LookupContext): string =>
  settingsOf(practice, context)?.time_zone ?? 'UTC';

/** The instants of a span in a zone, and that zone. Responses have no instants before the year 1 and after the year 9999. */
export function instantsIn(span: Span, zone: string): Instants {
  if (span.date < '0001-01-02' || span.date > '9999-12-30')
    return { starts_at: null, ends_at: null, time_zone: zone };
  const { start, end } = instantsOf(span, zone);
  return { starts_at: instant(start), ends_at: instant(end), time_zone: zone };
}

/**
 * The instants of a new appointment.
 * @throws {Rejection} 428C9 when the caller gives other instants than the times have
 */
export function instantsOfNew(booking: Appointment, context: LookupContext): Instants {
  const instants = instantsIn(booking, zoneOf(booking.therapist_id, context));
  for (const name of columns)
    if (booking[name] !== null && booking[name] !== instants[name])
      reject(contradiction(name, `can only be ${instants[name]} for this appointment`));
  return instants;
}

/**
 * The instants that come with a change; none if they are the stored ones.
 * @throws {Rejection} 428C9 when the change gives an appointment other instants than it has
 */
export function followingInstants(
  state: Appointment,
  { given, next }: { readonly given: Changes<typeof appointments>; readonly next: Span },
  context: LookupContext,
): Partial<Instants> {
  const zone = zoneOf(state.therapist_id, context);
  const present = instantsIn(state, zone);
  for (const name of columns)
    if (given[name] !== undefined && given[name] !== present[name])
      reject(contradiction(name, 'can only be updated to the value it has'));
  const instants = instantsIn(next, zone);
  const isStored =
    state.time_zone === zone && state.starts_at === instants.starts_at && state.ends_at === instants.ends_at;
  return isStored ? {} : instants;
}

const contradiction = (column: string, rule: string) => ({
  status: 400,
  code: '428C9',
  message: `column "${column}" ${rule}`,
  details: `${column} follows from date, start_time and end_time.`,
});
