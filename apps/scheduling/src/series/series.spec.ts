import { describe, expect, it } from '@jest/globals';
import { appointments, appointmentSeries, serviceMenu } from '@practice/contracts';
import type { Appointment, AppointmentSeries } from '@practice/contracts';
import type { Changes, Command, Draft, EventOf } from '@practice/resource';
import { recordsOf, specOf } from '@practice/testing';
import {
  change,
  given as givenAppointment,
  record,
  scheduled,
} from '../appointments/testing/appointments.js';
import { cancelled, changesAhead, released } from './changes-ahead.js';
import { ahead, following } from './scope.js';
import { series } from './series.js';

type Series = typeof appointmentSeries;

const NOW = '2026-05-01T08:00:00+00:00';
const DATES = ['2026-05-04', '2026-05-11', '2026-05-18'];

const given = specOf(series);

const aSeries = recordsOf(appointmentSeries, {
  ...{ rrule: 'FREQ=WEEKLY;COUNT=3', date: '2026-05-04', start_time: '09:00', end_time: '10:00' },
  skipped: [],
});
const begun = (but: Partial<AppointmentSeries> = {}): EventOf<Series> => ({
  type: 'AppointmentSeriesScheduled',
  data: aSeries(but),
});
const create = (but: Partial<Draft<Series>> = {}): Command<Series> => ({
  kind: 'create',
  record: { ...aSeries(), ...but },
});
const alter = (changes: Changes<Series>): Command<Series> => ({ kind: 'change', changes });

/** The appointment of the series on one of its dates. */
const own = (index: number, but: Partial<Appointment> = {}): Appointment =>
  record({
    id: `018f0000-0000-7000-8000-00000000005${index}`,
    ...{ series_id: aSeries().id, date: DATES[index] as string, series_date: DATES[index] as string },
    ...but,
  });

const taken = (date: string): Appointment => record({ id: '018f0000-0000-7000-8000-000000000099', date });

describe('a new series', () => {
  it('begins if every occurrence is free', () => {
    given().when(create()).then(begun());
  });

  it('is rejected with the first occurrence that is taken', () => {
    given()
      .among(appointments, taken('2026-05-18'), { ...taken('2026-05-11'), id: 'second' })
      .when(create())
      .thenRejects('PM002', /"about":"Occurrence on 2026-05-11","id":"second/);
  });

  it('leaves out taken occurrences with skip, but not all occurrences', () => {
    given()
      .among(appointments, taken('2026-05-11'))
      .when(create({ on_conflict: 'skip' }))
      .then(begun({ on_conflict: 'skip', skipped: ['2026-05-11'] }));
    given()
      .among(appointments, ...DATES.map(taken))
      .when(create({ on_conflict: 'skip' }))
      .thenRejects('PM002');
  });

  it('takes the length of the service', () => {
    const service = { id: '018f0000-0000-7000-8000-0000000000a1', duration: 50 };
    given()
      .among(serviceMenu, service)
      .when(create({ service_id: service.id, end_time: null }))
      .then(begun({ service_id: service.id, end_time: '09:50' }));
  });

  it('needs a rule that a series can have, and cannot begin as ended', () => {
    given()
      .when(create({ rrule: 'FREQ=WEEKLY' }))
      .thenRejects('22023', /COUNT or UNTIL/);
    given()
      .when(create({ status: 'ended' }))
      .thenRejects('PM001');
  });
});

describe('a series', () => {
  it('can be activated again after its end only by an undo', () => {
    const ended: EventOf<Series> = { type: 'AppointmentSeriesEnded', data: { status: 'ended' } };
    given(begun())
      .when(alter({ status: 'ended' }))
      .then(ended);
    given(begun(), ended)
      .when(alter({ status: 'active' }))
      .thenRejects('PM001');
    given(begun(), ended)
      .when({ kind: 'change', changes: { status: 'active' }, isUndo: true })
      .then({ type: 'AppointmentSeriesRestored', data: { status: 'active' } });
  });

  it('keeps its length when its end is computed again', () => {
    given(begun())
      .when(alter({ start_time: '11:00', end_time: null }))
      .then({ type: 'AppointmentSeriesChanged', data: { start_time: '11:00', end_time: '12:00' } });
  });

  it('rejects a rule that does not contain its date', () => {
    given(begun())
      .when(alter({ rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3' }))
      .thenRejects('22023', /2026-05-04 is not an occurrence/);
  });
});

describe('an appointment of a series', () => {
  const of = { series_id: aSeries().id, series_date: '2026-05-04' };

  it('becomes an exception when it is changed individually', () => {
    givenAppointment(scheduled(of))
      .when(change({ notes: 'by phone' }))
      .then({ type: 'AppointmentDetailsChanged', data: { notes: 'by phone', is_exception: true } });
  });

  it('does not become an exception when its status changes, or when the change names is_exception, as the series does', () => {
    givenAppointment(scheduled(of))
      .when(change({ status: 'confirmed' }))
      .then({ type: 'AppointmentConfirmed', data: { status: 'confirmed' } });
    givenAppointment(scheduled(of))
      .when(change({ notes: 'all of them', is_exception: false }))
      .then({ type: 'AppointmentDetailsChanged', data: { notes: 'all of them' } });
  });
});

describe('a change of a series', () => {
  const before = aSeries();
  const sent = (
    after: Partial<AppointmentSeries>,
    rows: readonly Appointment[],
    scope = following('2026-05-11', false),
  ): unknown[] =>
    changesAhead(
      { before, after: { ...before, ...after }, columns: Object.keys(after), now: NOW },
      rows,
      scope,
    ).map(({ id, command }) => [id, command.kind === 'change' ? command.changes : command.kind]);
  const rows = [own(0), own(1), own(2)];

  it('affects this and the following appointments, except exceptions and finished ones', () => {
    const late = { start_time: '15:00' };
    const moved = { ...late, is_exception: false };
    expect(sent(late, rows)).toEqual([
      [own(1).id, moved],
      [own(2).id, moved],
    ]);
    expect(sent(late, [own(1, { is_exception: true }), own(2, { status: 'completed' })])).toEqual([]);
    expect(sent(late, [own(1, { is_exception: true })], following('2026-05-11', true))).toEqual([
      [own(1).id, { ...late, is_exception: true }],
    ]);
    expect(sent(late, [own(1, late)])).toEqual([]);
  });

  it('moves the last appointment first if they move to later days, and books or cancels the difference', () => {
    const on = (date: string) => ({ date, series_date: date, is_exception: false });
    const rule = { rrule: 'FREQ=WEEKLY;COUNT=2', date: '2026-05-18' };
    expect(sent(rule, rows)).toEqual([
      [own(2).id, on('2026-05-25')],
      [own(1).id, on('2026-05-18')],
    ]);
    expect(sent({ rrule: 'FREQ=WEEKLY;COUNT=1', date: '2026-05-11' }, rows)).toEqual([
      [own(2).id, { status: 'cancelled', is_exception: false }],
    ]);
    const longer = sent({ rrule: 'FREQ=WEEKLY;COUNT=4' }, rows);
    expect(longer).toEqual([[expect.any(String), 'create']]);
  });

  it('moves the future appointments of a series that has begun to the future dates of its new rule', () => {
    const on = (date: string) => ({ date, series_date: date, is_exception: false });
    const now = ahead({ date: '2026-05-12', time: '08:00' }, false);
    expect(sent({ date: '2026-05-05' }, rows, now)).toEqual([[own(2).id, on('2026-05-19')]]);
    expect(sent({ date: '2026-05-19', rrule: 'FREQ=WEEKLY;COUNT=1' }, rows, now)).toEqual([
      [own(2).id, on('2026-05-19')],
    ]);
  });

  it('cancels future appointments and exceptions at its end, and a deletion releases all appointments', () => {
    const past = own(0, { date: '2026-04-06' });
    const scope = ahead({ date: '2026-05-01', time: '08:00' }, true);
    const exception = own(1, { is_exception: true });
    expect(cancelled([past, exception], scope).map(({ id }) => id)).toEqual([exception.id]);
    expect(released([past, exception], scope).map(({ command }) => command)).toEqual([
      { kind: 'change', changes: { series_id: null, series_date: null, is_exception: false } },
      {
        kind: 'change',
        changes: { status: 'cancelled', series_id: null, series_date: null, is_exception: true },
      },
    ]);
  });
});
