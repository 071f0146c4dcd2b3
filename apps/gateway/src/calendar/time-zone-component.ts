// A time zone as a VTIMEZONE component (RFC 5545, 3.6.5), with the changes of clocks that a calendar needs. They come from the same
// data as the instants of appointments, so a program with older data shows the right times.

import { Temporal } from 'temporal-polyfill';

/** How long a time of the zone holds: from a change of clocks to the next one. */
interface Observance {
  /** Seconds east of UTC before and after the change. */
  readonly from: number;
  readonly to: number;
  /** The instant of the change. */
  readonly at: Temporal.Instant;
}

/** Milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);
const NANOSECONDS = 1_000_000_000;

/** The lines of the component for a span of time. @param zone a name from the time zone database */
export function timeZoneComponent(zone: string, span: Span): string {
  const lines = observancesOf(zone, span).flatMap(linesOf);
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...lines, 'END:VTIMEZONE'].join('\r\n');
}

/** The instants in a span whose local times happen twice, because clocks go back. Programs disagree on which one a local time means. */
export const repeatedHours = (zone: string, span: Span): Span[] =>
  observancesOf(zone, span).flatMap(({ from, to, at: { epochMilliseconds: change } }) => {
    const repeated = (from - to) * 1000;
    return repeated > 0 ? [{ from: change - repeated, to: change + repeated }] : [];
  });

function observancesOf(zone: string, { from, to }: Span): Observance[] {
  const begin = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  const offset = secondsOf(begin);
  const before = begin.getTimeZoneTransition('previous');
  const observances: Observance[] = [
    before === null ? { from: offset, to: offset, at: EPOCH } : observanceAt(before),
  ];
  let next = begin.getTimeZoneTransition('next');
  while (next !== null && next.epochMilliseconds <= to) {
    observances.push(observanceAt(next));
    next = next.getTimeZoneTransition('next');
  }
  return observances;
}

const observanceAt = (change: Temporal.ZonedDateTime): Observance => ({
  from: secondsOf(change.subtract({ nanoseconds: 1 })),
  to: secondsOf(change),
  at: change.toInstant(),
});

const secondsOf = ({ offsetNanoseconds }: Temporal.ZonedDateTime): number => offsetNanoseconds / NANOSECONDS;

/** It begins at the local time that clocks showed until then. */
function linesOf({ from, to, at }: Observance): string[] {
  const kind = to > from ? 'DAYLIGHT' : 'STANDARD';
  const local = new Date(at.epochMilliseconds + from * 1000).toISOString().slice(0, 19);
  return [
    `BEGIN:${kind}`,
    `DTSTART:${local.replace(/[-:]/g, '')}`,
    `TZOFFSETFROM:${offsetText(from)}`,
    `TZOFFSETTO:${offsetText(to)}`,
    `END:${kind}`,
  ];
}

/** `+0530`; with seconds, if an old offset has some. */
function offsetText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(seconds);
  const rest = size % 60 === 0 ? '' : two(size % 60);
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}${two(Math.floor(size / 60) % 60)}${rest}`;
}
