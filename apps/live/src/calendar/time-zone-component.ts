// A time zone as a VTIMEZONE component (RFC 5545, 3.6.5), with the changes of clocks that a calendar needs. They come from the same
// data as the instants of appointments, so a program with older data shows the right times.

import { Temporal } from 'temporal-polyfill';

/** A change of clocks, after which an offset holds until the next change. */
export interface ClockChange {
  /** Seconds east of UTC before and after the change. */
  readonly from: number;
  readonly to: number;
  /** The instant of the change, in milliseconds since the epoch. */
  readonly at: number;
}

/** Milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const NANOSECONDS = 1_000_000_000;

/** The lines of the component. @param zone a name from the time zone database */
export const timeZoneComponent = (zone: string, changes: readonly ClockChange[]): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${zone}`,
  ...changes.flatMap(linesOf),
  'END:VTIMEZONE',
];

/** The instants whose local times happen twice, because clocks go back. Programs disagree on which one a local time means. */
export const repeatedHours = (changes: readonly ClockChange[]): Span[] =>
  changes.flatMap(({ from, to, at }) => {
    const repeated = (from - to) * 1000;
    return repeated > 0 ? [{ from: at - repeated, to: at + repeated }] : [];
  });

/** The changes of clocks in a span, after the last one before it. */
export function changesOfClocks(zone: string, { from, to }: Span): ClockChange[] {
  const begin = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  const offset = secondsOf(begin);
  const before = begin.getTimeZoneTransition('previous');
  const changes = [before === null ? { from: offset, to: offset, at: 0 } : changeAt(before)];
  let next = begin.getTimeZoneTransition('next');
  while (next !== null && next.epochMilliseconds <= to) {
    changes.push(changeAt(next));
    next = next.getTimeZoneTransition('next');
  }
  return changes;
}

const changeAt = (change: Temporal.ZonedDateTime): ClockChange => ({
  from: secondsOf(change.subtract({ nanoseconds: 1 })),
  to: secondsOf(change),
  at: change.epochMilliseconds,
});

const secondsOf = ({ offsetNanoseconds }: Temporal.ZonedDateTime): number => offsetNanoseconds / NANOSECONDS;

/** It begins at the local time that clocks showed until then. */
function linesOf({ from, to, at }: ClockChange): string[] {
  const kind = to > from ? 'DAYLIGHT' : 'STANDARD';
  const local = new Date(at + from * 1000).toISOString().slice(0, 19);
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
