// The dates of a series when its rule changes: the remaining dates of the old rule are assigned to the dates of the new rule in order.

import { isDeepStrictEqual } from 'node:util';
import type { AppointmentSeries } from '@practice/contracts';
import { broken } from './rule.js';
import { occurrences } from './occurrences.js';
import type { Scope } from './scope.js';

type Ruled = Pick<AppointmentSeries, 'rrule' | 'date'>;

export interface Layout {
  /** The new date of each old date; null for an occurrence that the new rule does not have. */
  readonly moved: ReadonlyMap<string, string | null>;
  /** The additional dates, if the new rule has more dates than the old rule. */
  readonly added: readonly string[];
}

const UNCHANGED: Layout = { moved: new Map(), added: [] };

/** The occurrences of a rule on a day and later. */
export const remaining = ({ rrule, date }: Ruled, from: string): readonly string[] =>
  occurrences(rrule, date).filter((each) => each >= from);

/**
 * The new dates of the occurrences in a scope. The first occurrence gets the first date, and so on.
 * @throws {Rejection} 22023 for a rule that a series cannot have
 */
export function layoutOf(before: Ruled, after: Ruled, scope: Pick<Scope, 'from' | 'isRest'>): Layout {
  if (before.rrule === after.rrule && before.date === after.date) return UNCHANGED;
  const old = remaining(before, scope.from);
  const dates = before.date === after.date ? remaining(after, scope.from) : datesOf(before, after, scope);
  if (isDeepStrictEqual(old, dates)) return UNCHANGED;
  return {
    moved: new Map(old.map((date, index) => [date, dates[index] ?? null])),
    added: dates.slice(old.length),
  };
}

/** The dates of a rule that begins on another day. A whole rule that begins earlier also has the occurrences before the scope. */
function datesOf(before: Ruled, after: Ruled, { from, isRest }: Pick<Scope, 'from' | 'isRest'>) {
  const dates = occurrences(after.rrule, after.date);
  if (isRest || after.date >= from) return dates;
  return dates.slice(occurrences(before.rrule, before.date).filter((each) => each < from).length);
}

/** @throws {Rejection} 22023 when the appointment was booked by an earlier rule of the series */
export function checkLaidOut({ date }: Ruled, layout: Layout, seriesDate: string | null): void {
  if (layout !== UNCHANGED && seriesDate !== null && seriesDate < date)
    broken(`The present rule begins on ${date}: it cannot be changed for earlier occurrences.`);
}
