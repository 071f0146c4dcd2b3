import { appointments, appointmentSeries, changeSeries } from '@practice/contracts';
import type { AppointmentSeries } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { ArgumentsOf, DependentCommand, ResultOf, Row } from '@practice/resource';
import {
  changeOf,
  checkRights,
  checkVersion,
  decideDependents,
  Handles,
  recordLoads,
  records,
} from '@practice/write';
import type { DecidingCall, DecidingHandler, FunctionDecision, Resumable } from '@practice/write';
import { changesAhead } from '../series/changes-ahead.js';
import { remaining } from '../series/layout.js';
import { broken, withCount } from '../series/rule.js';
import { following } from '../series/scope.js';

type Call = typeof changeSeries;

/** Changes a series from one of its occurrences on. */
@Handles(changeSeries)
export class ChangeSeriesHandler implements DecidingHandler<Call> {
  /**
   * @throws {Rejection} PM404 for an unknown series, PM006 for another version than If-Match names, 22023 for a rule that a series
   *   cannot have, and the rejections of the series and its appointments
   */
  *decide(args: ArgumentsOf<Call>, call: DecidingCall): Resumable<FunctionDecision<ResultOf<Call>>> {
    const { view, decision, caller: by, named } = call;
    checkRights(appointmentSeries, by, 'write');
    const byId = { column: 'id', values: [args.series_id] };
    const ofSeries = { column: 'series_id', values: [args.series_id] };
    yield* view.load([
      ...recordLoads(view, appointmentSeries, byId),
      ...recordLoads(view, appointments, ofSeries),
    ]);
    const [found = reject(unknownSeries(args.series_id))] = yield* records(view, appointmentSeries, byId);
    const rows = yield* records(view, appointments, ofSeries);
    checkVersion(found.version, call.ifMatch);
    const values = valuesOf(args, named, found.row);
    const intent = changeOf(appointmentSeries, values, found);
    const unknown = yield* decision.lookUp(appointmentSeries, [intent]);
    if (unknown.length > 0) return { kind: 'unknown records', entries: unknown };
    const unsure = yield* decision.decide(appointmentSeries, [intent]);
    if (unsure.length > 0) return { kind: 'unknown records', entries: unsure };
    const { row: before } = found;
    const [after = before] = decision.decided.rows(appointmentSeries, [intent]);
    const dependents = changesAhead(
      { before, after, columns: Object.keys(values), now: view.now },
      rows.map(({ row }) => row),
      following(args.from_date, args.include_exceptions),
    );
    const entries = yield* decideDependents(view, decision, { by, dependents });
    return entries.length > 0
      ? { kind: 'unknown records', entries }
      : { kind: 'decided', result: resultOf(after, dependents) };
  }
}

/** The values of the series that the caller names. As in a PATCH, null clears a value. An end that must be computed is null. */
function valuesOf(args: ArgumentsOf<Call>, named: DecidingCall['named'], series: AppointmentSeries): Row {
  const { series_id: _, from_date: from, include_exceptions: __, ...values } = args;
  const given = Object.fromEntries(Object.entries(values).filter(([name]) => named.has(name)));
  if (Object.keys(given).length === 0) return {};
  const { rrule, date } = values;
  const hasNewEnd = args.end_time === null && (named.has('start_time') || named.has('service_id'));
  return {
    ...ruleFrom(series, { from, rrule, date }),
    ...(hasNewEnd ? { end_time: null } : {}),
    ...given,
  };
}

interface Move {
  readonly from: string;
  readonly rrule: string | null;
  readonly date: string | null;
}

/**
 * The rule from the first occurrence on a day or later. The record of a series describes the appointments from its date on.
 * @throws {Rejection} 22023 when the series has no occurrence on the day or later
 */
function ruleFrom(series: AppointmentSeries, { from, rrule, date }: Move): { rrule: string; date: string } {
  const old = remaining(series, from);
  const [first] = old;
  if (first === series.date && (rrule ?? date) === null) return { rrule: series.rrule, date: series.date };
  if (first === undefined && (rrule === null || date === null))
    return broken(`The series has no occurrence on ${from} or later, so both rrule and date are required.`);
  return { rrule: rrule ?? withCount(series.rrule, old.length), date: date ?? (first as string) };
}

function resultOf(series: AppointmentSeries, dependents: readonly DependentCommand[]): ResultOf<Call> {
  const { id, rrule, date, start_time, end_time } = series;
  const booked = dependents.filter(({ command }) => command.kind === 'create').length;
  const cancelled = dependents.filter(
    ({ command }) => command.kind === 'change' && command.changes['status'] === 'cancelled',
  ).length;
  const changed = dependents.length - booked - cancelled;
  return { id, rrule, date, start_time, end_time, changed, booked, cancelled };
}

const unknownSeries = (id: string) => problemFor('PM404', { message: `there is no series ${id}` });
