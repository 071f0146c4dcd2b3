// The rules of a series. Its appointments have their own rules: a series only sends them dependent commands.

import { appointments, appointmentSeries, serviceMenu, type AppointmentSeries } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { changedEvents, dependent, lookup } from '@practice/resource';
import type {
  ChangeCommand,
  CreateCommand,
  Restored,
  Command,
  Commanded,
  Decider,
  DependentCommand,
  EventOf,
  Lookup,
  LookupContext,
} from '@practice/resource';
import { wallTimeAt } from '@practice/zone';
import { settingsLookup, zoneOf } from '../appointments/instants.js';
import { endAfterChange } from '../appointments/slot.js';
import { bookingLookups, bookingsOf, placed } from './bookings.js';
import { cancelled, changesAhead, released } from './changes-ahead.js';
import { occurrences } from './occurrences.js';
import { untilDay } from './rule.js';
import { ahead } from './scope.js';

type Series = typeof appointmentSeries;

export const series: Decider<Series> = {
  definition: appointmentSeries,

  lookups(command, state) {
    if (command.kind !== 'delete' && command.isUndo === true) return [];
    if (command.kind === 'create') return bookingLookups(command.record);
    if (state === null) return [];
    const own = lookup(appointments, 'series_id', [state.id]);
    return [own, ...serviceLookups(command, state), settingsLookup(state.therapist_id)];
  },

  decide(command, state, context) {
    switch (command.kind) {
      case 'create':
        return [scheduled(command, context)];
      case 'change':
        return state === null ? [] : changed(state, command, context);
      case 'delete':
        return [{ type: 'AppointmentSeriesDeleted', data: {} }];
    }
  },

  dependents: (commanded, context) => dependentsOf(commanded, context),

  mostDependents: (command) =>
    command.kind === 'create' ? occurrences(command.record.rrule, command.record.date).length : 0,
};

function scheduled({ record, isUndo }: CreateCommand<Series>, context: LookupContext): EventOf<Series> {
  if (isUndo === true) return { type: 'AppointmentSeriesScheduled', data: record };
  if (record.status !== 'active') reject(hasEnded);
  const rrule = untilDay(record.rrule, record.start_time, zoneOf(record.therapist_id, context));
  const series = { ...record, rrule };
  return { type: 'AppointmentSeriesScheduled', data: { ...series, ...placed(series, context) } };
}

function changed(
  state: AppointmentSeries,
  { changes: intended, isUndo }: ChangeCommand<Series>,
  context: LookupContext,
): EventOf<Series>[] {
  if (isUndo === true) return setBack(intended);
  if (state.status === 'ended') reject(hasEnded);
  const { end_time: given, ...others } = intended;
  const end = given === null ? endAfterChange(state, others, context) : given;
  const time = others.start_time ?? state.start_time;
  const zone = zoneOf(state.therapist_id, context);
  const changes = {
    ...others,
    ...(others.rrule === undefined ? {} : { rrule: untilDay(others.rrule, time, zone) }),
    ...(end === undefined || end === state.end_time ? {} : { end_time: end }),
  };
  const { rrule, date } = { ...state, ...changes };
  if ('rrule' in changes || 'date' in changes) occurrences(rrule, date);
  return changedEvents(appointmentSeries, changes);
}

const setBack = (changes: Restored<Series>): EventOf<Series>[] =>
  changes.status === 'active'
    ? [{ type: 'AppointmentSeriesRestored', data: changes }]
    : changedEvents(appointmentSeries, changes);

function dependentsOf(
  { command, before, after }: Commanded<Command<Series>, AppointmentSeries>,
  context: LookupContext,
): readonly DependentCommand[] {
  const { now } = context;
  if (command.kind === 'create') return after === null ? [] : booked(after);
  if (before === null) return [];
  const rows = context.rows(appointments, 'series_id', before.id);
  const moment = wallTimeAt(Date.parse(now), zoneOf(before.therapist_id, context));
  if (command.kind === 'delete' || after === null) return released(rows, ahead(moment, true));
  if (after.status === 'ended') return cancelled(rows, ahead(moment, true));
  const columns = Object.keys(command.changes);
  return changesAhead({ before, after, columns, now }, rows, ahead(moment, false));
}

function booked(made: AppointmentSeries): DependentCommand[] {
  const skipped = new Set(made.skipped);
  const bookingOn = bookingsOf(made);
  return occurrences(made.rrule, made.date)
    .filter((date) => !skipped.has(date))
    .map((date) => {
      const record = bookingOn(date);
      return dependent(appointments, record.id, { kind: 'create', record });
    });
}

/** The service, if the end must be computed from its duration. */
function serviceLookups(command: Command<Series>, state: AppointmentSeries): Lookup[] {
  if (command.kind !== 'change' || command.changes.end_time !== null) return [];
  const { service_id: id = state.service_id } = command.changes;
  return [lookup(serviceMenu, 'id', [id])];
}

const hasEnded = problemFor('PM001', {
  message: 'a series that has ended cannot change',
  hint: 'Undo the change that ended it, or create a new series.',
});
