// The instants of an appointment in the time zone of the practice.

import { appointments, practiceSettings } from '@practice/contracts';
import type { Appointment, PracticeSettings } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { fromStart, instant, lookup, missing } from '@practice/resource';
import type { Changes, Draft, Lookup, LookupContext } from '@practice/resource';
import { addDays, instantsOf, wallTimeAt, type WallTime } from '@practice/zone';

type Span = Pick<Appointment, 'date' | 'start_time' | 'end_time'>;
type Instants = Pick<Appointment, 'starts_at' | 'ends_at' | 'time_zone'>;

/** The instants. Callers may set them instead of the times, or together with the times if both agree. */
const columns = ['starts_at', 'ends_at'] as const;
type Instant = (typeof columns)[number];

/** The settings that a decision needs. */
export const settingsLookup = (practice: string): Lookup => lookup(practiceSettings, 'id', [practice]);

export const settingsOf = (practice: string, context: LookupContext): PracticeSettings =>
  fromStart(practiceSettings, practice, context);

export const zoneOf = (practice: string, context: LookupContext): string =>
  settingsOf(practice, context).time_zone;

/** The instants of a span in a zone, and the zone. Responses have no instants before the year 1 or after the year 9999. */
export function instantsIn(span: Span, zone: string): Instants {
  if (span.date < '0001-01-02' || span.date > '9999-12-30')
    return { starts_at: null, ends_at: null, time_zone: zone };
  const { start, end } = instantsOf(span, zone);
  return { starts_at: instant(start), ends_at: instant(end), time_zone: zone };
}

/** The days that an instant may be on in any zone; empty if it is not within the years 1 to 9999 in every zone. */
export function possibleDays(at: string): string[] {
  const day = at.slice(0, 10);
  return hasDay(at) ? [addDays(day, -1), day, addDays(day, 1)] : [];
}

/**
 * The times of a new appointment. An instant replaces a missing time.
 * @throws {Rejection} 428C9 for an end on another day, or an instant that is not within the years 1 to 9999 in every zone
 */
export function timesOfNew(draft: Draft<typeof appointments>, context: LookupContext) {
  const wallTime = wallTimeIn(zoneOf(draft.therapist_id, context));
  const start = wallTime('starts_at', draft.starts_at);
  const date = draft.date ?? start?.date ?? reject(missing(appointments, 'date'));
  return {
    date,
    start_time: draft.start_time ?? start?.time ?? reject(missing(appointments, 'start_time')),
    end_time: draft.end_time ?? onDay(date, wallTime('ends_at', draft.ends_at)) ?? null,
  };
}

/**
 * The times that a change sets. An instant replaces a time that the change does not have. The present instants move nothing: they may
 * be part of a row that was read.
 * @throws {Rejection} 428C9 as for a new appointment, 23502 for a null without an instant
 */
export function timesAfter(
  state: Appointment,
  given: Changes<typeof appointments>,
  context: LookupContext,
): Partial<Span> {
  const zone = zoneOf(state.therapist_id, context);
  const isPresent = (name: Instant): boolean =>
    given[name] != null && given[name] === instantsIn(state, zone)[name];
  const wallTime = (name: Instant): WallTime | undefined => {
    if (!isPresent(name)) return wallTimeIn(zone)(name, given[name]);
    const keepsEnd = name === 'ends_at' && given.end_time === null;
    return keepsEnd ? { date: state.date, time: state.end_time } : undefined;
  };
  const start = wallTime('starts_at');
  const date = given.date ?? start?.date;
  const start_time = given.start_time ?? start?.time;
  const end_time = given.end_time ?? onDay(date ?? state.date, wallTime('ends_at'));
  const times = { date, start_time, end_time };
  const isMissing = (name: 'date' | 'start_time'): boolean =>
    given[name] === null && times[name] === undefined && !isPresent('starts_at');
  for (const name of ['date', 'start_time'] as const)
    if (isMissing(name)) reject(missing(appointments, name));
  return Object.fromEntries(Object.entries(times).filter(([, time]) => time !== undefined));
}

const hasDay = (at: string): boolean => /^\d{4}-/.test(at) && at >= '0001-01-03' && at < '9999-12-29';

const wallTimeIn =
  (zone: string) =>
  (name: string, at: string | null | undefined): WallTime | undefined => {
    if (at == null) return undefined;
    if (!hasDay(at)) reject(contradiction(name, 'must be from the year 1 to 9999'));
    return wallTimeAt(Date.parse(at), zone);
  };

function onDay(date: string, end: WallTime | undefined): string | undefined {
  if (end !== undefined && end.date !== date) reject(contradiction('ends_at', `must be on ${date}`));
  return end?.time;
}

/**
 * The instants of a new appointment.
 * @throws {Rejection} 428C9 when the given instants do not agree with the times
 */
export function instantsOfNew(booking: Appointment, context: LookupContext): Instants {
  const instants = instantsIn(booking, zoneOf(booking.therapist_id, context));
  for (const name of columns)
    if (booking[name] !== null && booking[name] !== instants[name])
      reject(contradiction(name, `can only be ${instants[name]} for this appointment`));
  return instants;
}

/**
 * The instants that a change sets; empty if they do not differ from the stored ones.
 * @throws {Rejection} 428C9 when the given instants do not agree with the times
 */
export function followingInstants(
  state: Appointment,
  { given, next }: { readonly given: Changes<typeof appointments>; readonly next: Span },
  context: LookupContext,
): Partial<Instants> {
  const zone = zoneOf(state.therapist_id, context);
  const present = instantsIn(state, zone);
  const instants = instantsIn(next, zone);
  for (const name of columns)
    if (given[name] !== undefined && ![present[name], instants[name]].includes(given[name]))
      reject(contradiction(name, `can only be ${instants[name]} for this appointment`));
  const isStored =
    state.time_zone === zone && state.starts_at === instants.starts_at && state.ends_at === instants.ends_at;
  return isStored ? {} : instants;
}

const contradiction = (column: string, rule: string) =>
  problemFor('428C9', {
    message: `column "${column}" ${rule}`,
    details: `${column} follows from date, start_time and end_time, which have minutes and are on one day.`,
  });
