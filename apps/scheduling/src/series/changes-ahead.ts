// The dependent commands that a change of a series sends to its appointments.

import { appointments, type Appointment, type AppointmentSeries } from '@practice/contracts';
import { dependent, type Changes, type DependentCommand } from '@practice/resource';
import { seriesColumns } from '../appointments/appointment.js';
import { bookingsOf } from './bookings.js';
import { checkLaidOut, layoutOf, type Layout } from './layout.js';
import type { Scope } from './scope.js';

type AppointmentChanges = Changes<typeof appointments>;

export interface SeriesChange {
  readonly before: AppointmentSeries;
  readonly after: AppointmentSeries;
  /** The columns that the appointments take from the series. */
  readonly columns: readonly string[];
  readonly now: string;
}

/**
 * The commands to the appointments of a series that changes. They change the appointments in the scope, cancel occurrences that
 * the new rule does not have, and book additional occurrences.
 */
export function changesAhead(
  { before, after, columns, now }: SeriesChange,
  rows: readonly Appointment[],
  scope: Scope,
): DependentCommand[] {
  const layout = layoutOf(before, after, scope);
  const values = valuesOf(after, columns);
  const bookingOn = bookingsOf(after, now);
  const changed = rows
    .filter((row) => scope.takes(row))
    .flatMap((row): [Appointment, AppointmentChanges][] => {
      checkLaidOut(before, layout, row.series_date);
      const changes = changesOf(row, values, layout);
      return Object.keys(changes).length === 0 ? [] : [[row, changes]];
    });
  return [
    ...changed.sort(byRoom).map(([row, changes]) => commandTo(row, changes)),
    ...layout.added.map((date) => {
      const record = bookingOn(date);
      return dependent(appointments, record.id, { kind: 'create', record });
    }),
  ];
}

/** The commands at the end of a series: its appointments in the scope are cancelled, including exceptions. */
export const cancelled = (rows: readonly Appointment[], scope: Scope): DependentCommand[] =>
  rows.filter((row) => scope.takes(row)).map((row) => commandTo(row, { status: 'cancelled' }));

/** The commands at the deletion of a series: it ends, and its appointments no longer belong to it. */
export const released = (rows: readonly Appointment[], scope: Scope): DependentCommand[] =>
  rows.map((row) =>
    commandTo(row, {
      ...(scope.takes(row) ? { status: 'cancelled' } : {}),
      ...{ series_id: null, series_date: null },
    }),
  );

/** A command to an appointment. It names `is_exception`, so that the change does not make the appointment an exception. */
const commandTo = ({ id, is_exception }: Appointment, changes: AppointmentChanges): DependentCommand =>
  dependent(appointments, id, { kind: 'change', changes: { ...changes, is_exception } });

const valuesOf = (series: AppointmentSeries, columns: readonly string[]): AppointmentChanges =>
  Object.fromEntries(
    seriesColumns
      .filter((column) => column !== 'date' && columns.includes(column))
      .map((column) => [column, series[column]]),
  );

/** The columns whose values change. */
function changesOf(row: Appointment, values: AppointmentChanges, { moved }: Layout): AppointmentChanges {
  const date = row.series_date === null ? undefined : moved.get(row.series_date);
  if (date === null) return { status: 'cancelled' };
  const all: AppointmentChanges = { ...values, ...(date === undefined ? {} : { date, series_date: date }) };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => row[name as keyof Appointment] !== value),
  );
}

/** Order: cancellations, moves to later days from the last one on, then the others. So no appointment moves onto one that moves later. */
function byRoom(
  [one, its]: [Appointment, AppointmentChanges],
  [other, others]: [Appointment, AppointmentChanges],
): number {
  const [left, right] = [rankOf(one, its), rankOf(other, others)];
  if (left !== right) return left - right;
  return left === 1 ? other.date.localeCompare(one.date) : one.date.localeCompare(other.date);
}

const rankOf = ({ date: now }: Appointment, { status, date }: AppointmentChanges): number =>
  status !== undefined ? 0 : (date ?? now) > now ? 1 : 2;
