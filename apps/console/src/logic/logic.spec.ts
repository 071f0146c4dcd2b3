import { describe, expect, it } from '@jest/globals';
import { changesOf, eventOf, eventsOf, ruleOf, spanOf, stepsFrom } from './appointments.js';
import type { Appointment } from './appointments.js';
import { addDays, lastMonths, minutesOf, mondayOf, offsetOf, timeOf, todayIn, wallOf } from './days.js';
import { changesIn, differencesOf, labelOf, wordsOf } from './diff.js';
import { codeOf, curlOf, filtersOf, pathOf } from './explore.js';
import { barsOf, invoicesPaidBy, money, stepsOfInvoice } from './money.js';
import { cosignatureOf, storedOf, textNames, textsOf } from './notes.js';
import { patternOf } from './search.js';

describe('days', () => {
  it('are counted across months and years, and a week begins on Monday', () => {
    expect(addDays('2029-12-31', 1)).toBe('2030-01-01');
    expect(mondayOf('2030-01-06')).toBe('2029-12-31');
    expect(mondayOf('2030-01-07')).toBe('2030-01-07');
    expect(lastMonths('2030-02-07', 3)).toEqual(['2029-12', '2030-01', '2030-02']);
  });
  it('are days of the practice, not of the reader', () => {
    const now = new Date('2030-01-07T23:30:00Z');
    expect([todayIn('Asia/Tokyo', now), todayIn('UTC', now)]).toEqual(['2030-01-08', '2030-01-07']);
  });
  it('use an offset of the time zone from UTC that is never zero and keeps the day', () => {
    const zones = ['Pacific/Auckland', 'America/St_Johns', 'UTC', 'Europe/London'];
    expect(zones.map((zone) => offsetOf(zone, new Date('2030-01-07T12:00:00Z')))).toEqual([
      ...['+13:00', '-03:30', '-00:01', '-00:01'],
    ]);
    const [first, last] = [new Date('2030-01-07T00:00:30Z'), new Date('2030-01-07T23:59:30Z')];
    expect([offsetOf('UTC', first), offsetOf('UTC', last)]).toEqual(['+00:01', '-00:01']);
  });
  it('are read as wall times from the local time of a calendar', () => {
    expect(wallOf(new Date(2030, 0, 7, 9, 5))).toEqual({ date: '2030-01-07', time: '09:05' });
    expect(timeOf(minutesOf('09:10') + 50)).toBe('10:00');
    expect(timeOf(minutesOf('24:00') + 50)).toBe('00:50');
  });
});

describe('appointments', () => {
  const appointment = {
    ...{ id: 'a', date: '2030-01-07', start_time: '09:00', end_time: '09:50', client_id: 'c' },
    ...{ client_name: 'Ada', practitioner_id: null, status: 'completed', notes: null },
  } as Appointment;
  it('are events that can be dragged while they are open', () => {
    expect(eventOf(appointment)).toMatchObject({
      ...{ start: '2030-01-07T09:00', end: '2030-01-07T09:50', title: 'Ada', editable: false },
      ...{ resourceIds: ['everyone'], classNames: ['is-completed'] },
    });
    expect(eventOf({ ...appointment, status: 'confirmed' }).editable).toBe(true);
    expect(eventOf({ ...appointment, client_id: null }).classNames).toEqual(['is-block']);
  });
  it('of a group session are one event with the number of seats', () => {
    const seats = [1, 2, 3].map((seat) => ({ ...appointment, id: `${seat}`, service_id: 'g' }));
    const single = { ...appointment, id: 's', service_id: 'single', end_time: '09:20' };
    const later = { ...appointment, id: 'l', service_id: 'g', start_time: '11:00' };
    const events = eventsOf([...seats, single, later] as Appointment[], new Map([['g', 'Yoga']]));
    expect(events.map(({ id, title }) => [id, title])).toEqual([
      ['1', 'Yoga: 3'],
      ['s', 'Ada'],
      ['l', 'Ada'],
    ]);
    expect(events.map(({ extendedProps: { isGroup } }) => isGroup)).toEqual([true, false, false]);
    expect(events[1]?.classNames).toEqual(['is-completed', 'is-short']);
  });
  it('change only in columns that differ, and in all times if one time differs', () => {
    const { date, start_time, end_time } = appointment;
    expect(changesOf(appointment, { date, start_time, end_time, notes: null })).toEqual({});
    expect(changesOf(appointment, { date, start_time: '08:50', end_time, notes: 'Late.' })).toEqual({
      ...{ date, start_time: '08:50', end_time, notes: 'Late.' },
    });
  });
  it('have only steps that change the status', () => {
    for (const [from, steps] of Object.entries(stepsFrom))
      expect(steps.map(([to]) => to)).not.toContain(from);
  });
  it('repeat by a rule, and a week has seven days', () => {
    expect([ruleOf('once', 3), ruleOf('week', 3), ruleOf('fortnight', 3)]).toEqual([
      ...[null, 'FREQ=WEEKLY;COUNT=3', 'FREQ=WEEKLY;INTERVAL=2;COUNT=3'],
    ]);
    expect(spanOf('week', '2030-01-09')).toEqual(['2030-01-07', '2030-01-13']);
    expect(spanOf('day', '2030-01-09')).toEqual(['2030-01-09', '2030-01-09']);
  });
});

describe('differences', () => {
  it('have the changed columns, but no columns for programs', () => {
    const before = { status: 'scheduled', starts_at: 'x', notes: null };
    expect(differencesOf(before, { status: 'confirmed', starts_at: 'y', notes: null })).toEqual([
      { column: 'status', before: 'scheduled', after: 'confirmed' },
    ]);
    expect(differencesOf(null, { price: 110, id: 'a' })).toEqual([
      { column: 'price', before: null, after: '110' },
    ]);
    expect([wordsOf('AppointmentRescheduled'), labelOf('client_id')]).toEqual([
      'Appointment rescheduled',
      'client',
    ]);
  });
});

describe('a history', () => {
  const row = (
    event: string,
    change_id: string | null,
    values: { before: object | null; after: object },
  ) => ({
    ...{ event, change_id, ...values },
  });
  it('has one entry for each change, with the values before and after it', () => {
    const totalled = row('InvoiceTotalled', 'finance:2', { before: { total: 0 }, after: { total: 50 } });
    const again = row('InvoiceTotalled', 'finance:2', { before: { total: 50 }, after: { total: 70 } });
    const created = row('InvoiceDrafted', 'finance:1', { before: null, after: { status: 'draft' } });
    expect(changesIn([again, totalled, created])).toEqual([
      row('InvoiceTotalled', 'finance:2', { before: { total: 0 }, after: { total: 70 } }),
      created,
    ]);
    const same = { ...totalled, change_id: 'finance:1' };
    expect(changesIn([same, created])).toEqual([
      row('InvoiceDrafted', 'finance:1', { before: null, after: { status: 'draft', total: 50 } }),
    ]);
    expect(
      changesIn([row('B', null, { before: null, after: {} }), row('A', null, { before: null, after: {} })]),
    ).toHaveLength(2);
  });
  it('shows names instead of ids, and no empty or false columns of a new record', () => {
    const id = '4a0b9f6e-0000-4000-8000-000000000001';
    const names = new Map([[id, 'Yoga']]);
    const other = id.replace('4a', '5b');
    const after = { service_id: id, series_id: other, allow_overlap: false, amount_due: 0 };
    expect(differencesOf(null, after, names)).toEqual([
      { column: 'service_id', before: null, after: 'Yoga' },
      { column: 'series_id', before: null, after: '…000001' },
    ]);
    expect(differencesOf({ ids: [] }, { ids: [id, other] }, names)).toEqual([
      { column: 'ids', before: null, after: 'Yoga, …000001' },
    ]);
    expect(differencesOf({ is_exception: false }, { is_exception: true })).toEqual([
      { column: 'is_exception', before: 'no', after: 'yes' },
    ]);
  });
});

describe('the explorer', () => {
  const query = {
    resource: 'clients',
    select: '*',
    filters: [['name', "eq.O'Neil"]],
    order: 'name.desc',
    limit: 5,
  } as const;
  it('reads one filter per line, and reports a line that is not a filter', () => {
    expect(filtersOf('status=eq.active\n\n name = x\nid=in.(1,2)')).toEqual({
      filters: [
        ['status', 'eq.active'],
        ['id', 'in.(1,2)'],
      ],
      wrong: ['name = x'],
    });
  });
  it('orders by several columns', () => {
    expect(codeOf({ ...query, order: 'date.desc.nullslast, start_time' })).toContain(
      ".order('date', { ascending: false, nullsFirst: false })\n  .order('start_time', { ascending: true })",
    );
  });
  it('writes the request for a shell and for supabase-js with escaped quotes', () => {
    expect(pathOf(query)).toBe("clients?select=*&name=eq.O'Neil&order=name.desc&limit=5");
    expect(curlOf(query, 'http://h')).toContain(
      "'http://h/rest/v1/clients?select=*&name=eq.O%27Neil&order=name.desc&limit=5'",
    );
    expect(codeOf(query)).toContain(
      ".filter('name', 'eq', 'O\\'Neil')\n  .order('name', { ascending: false })",
    );
  });
});

describe('notes', () => {
  const note = { format: 'soap', template_id: null, sections: null } as const;
  const columns = { subjective: 'Slept.', objective: null, assessment: null, plan: null };
  it('have the texts of their format', () => {
    expect(textNames({ ...note, format: 'dap' })).toEqual(['data', 'assessment', 'plan']);
    expect(textNames({ ...note, template_id: 't', sections: { mood: '' } })).toEqual(['mood']);
    expect(textsOf({ ...columns, sections: null }, textNames(note), true).subjective).toBe('Slept.');
  });
  it('store an empty text as null, and omit an empty section', () => {
    expect(storedOf({ subjective: ' ', plan: 'Rest.' }, true)).toEqual({ subjective: null, plan: 'Rest.' });
    expect(storedOf({ data: 'x', plan: '' }, false)).toEqual({ sections: { data: 'x' } });
  });
});

it('a second signature is awaited only if it is required and missing', () => {
  const signed = { status: 'signed', needs_cosign_by: 'me', cosigned_at: null } as const;
  expect([
    cosignatureOf(signed, 'me'),
    cosignatureOf(signed, 'you'),
    cosignatureOf({ ...signed, status: 'draft' }, 'me'),
    cosignatureOf({ ...signed, needs_cosign_by: null }, 'me'),
    cosignatureOf({ ...signed, cosigned_at: '2030-01-07' }, 'me'),
  ]).toEqual(['mine', 'other', 'none', 'none', 'done']);
});

it('an amount pays the named invoice first, and then the oldest ones until nothing is left', () => {
  const open = ['a', 'b', 'c'].map((id) => ({ id, amount_due: 50 }));
  expect([invoicesPaidBy(60, open), invoicesPaidBy(60, open, 'c'), invoicesPaidBy(-5, open)]).toEqual([
    ...[['a', 'b'], ['c', 'a'], []],
  ]);
  const dues = [0.5, 3.65, 10].map((amount_due, index) => ({ id: String(index), amount_due }));
  expect(invoicesPaidBy(4.15, dues)).toEqual(['0', '1']);
});

it('an invoice has only the steps that the API allows', () => {
  const stepsOf = (status: 'draft' | 'open' | 'paid' | 'uncollectible', amount_paid = 0) =>
    stepsOfInvoice({ status, amount_paid, amount_credited: 0 }).map(([step]) => step);
  expect(stepsOf('open')).toEqual(['void', 'uncollectible']);
  expect(stepsOf('open', 10)).toEqual(['uncollectible']);
  expect(stepsOf('uncollectible')).toEqual(['open']);
  expect([...stepsOf('draft'), ...stepsOf('paid', 10)]).toEqual([]);
  // An invoice of 0.
  expect(stepsOf('paid')).toEqual(['void']);
});

it('an amount has two decimals in every currency', () => {
  const shown = ['EUR', 'JPY', 'KWD'].map((currency) => money(1234.5, currency));
  expect(shown.map((text) => text.replaceAll(/[^\d.,]/g, ''))).toEqual(['1,234.50', '1,234.50', '1,234.50']);
});

it('a search finds names by parts, and accepts no pattern from the user', () => {
  expect([patternOf(' ad  lo '), patternOf('100%_')]).toEqual(['%ad%lo%', '%100%']);
});

it('bars are relative to the highest value', () => {
  expect(
    barsOf([
      ['Jan', 50],
      ['Feb', 100],
      ['Mar', -5],
    ]).map(({ percent }) => percent),
  ).toEqual([50, 100, 0]);
  expect(barsOf([['Jan', 0]])[0]?.percent).toBe(0);
});
