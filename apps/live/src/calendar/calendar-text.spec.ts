// The text of calendars, read by two other libraries and checked against RFC 5545.

import { describe, expect, it } from '@jest/globals';
import type { CalendarRow } from '@practice/contracts';
import fc from 'fast-check';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import type { VEvent } from 'node-ical';
import { calendarOf, type CalendarOptions } from './calendar-text.js';

const SPAN = { from: Date.parse('2026-01-01T00:00:00Z'), to: Date.parse('2027-03-31T00:00:00Z') };

const row: CalendarRow = {
  id: '4a0b9f6e-0000-4000-8000-000000000001',
  date: '2026-07-06',
  version: 3,
  status: 'confirmed',
  starts_at: '2026-07-06T07:00:00+00:00',
  ends_at: '2026-07-06T07:50:00+00:00',
  client_id: '4a0b9f6e-0000-4000-8000-000000000002',
  client_name: 'Ada Lovelace',
  service_menu: { name: 'Individual therapy' },
  created_at: '2026-05-01T08:00:00.123+00:00',
  updated_at: '2026-05-02T09:30:15.456+00:00',
};

const berlin: CalendarOptions = { zone: 'Europe/Berlin', full: false };

function textOf(rows: readonly CalendarRow[], options: CalendarOptions = berlin): string {
  const { head, event, tail } = calendarOf(options, SPAN);
  return [head, ...rows.map(event), tail].join('');
}

/** The events as ical.js reads them in strict mode. */
function strictly(text: string): ICAL.Event[] {
  ICAL.design.strict = true;
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
}

/** The unfolded lines, after checks of line breaks, octets and nesting. */
function linesOf(text: string): string[] {
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f]/);
  for (const line of text.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    // A fold does not cut a character.
    expect(Buffer.from(line).toString()).toBe(line);
  }
  return text.replaceAll('\r\n ', '').trimEnd().split('\r\n');
}

/** From the first event on, unfolded. */
const eventOf = (text: string): string => text.slice(text.indexOf('BEGIN:VEVENT')).replaceAll('\r\n ', '');

const propertyOf = (text: string, name: string): string[] =>
  linesOf(text).filter((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`));

describe('a calendar', () => {
  it('has the required properties, and properties of the record', () => {
    const lines = linesOf(textOf([row]));
    expect(lines.slice(0, 3)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Practice API//Appointments//EN',
    ]);
    const event = lines.slice(lines.indexOf('BEGIN:VEVENT') + 1, lines.indexOf('END:VEVENT')).sort();
    expect(event).toEqual([
      'CLASS:PRIVATE',
      'CREATED:20260501T080000Z',
      'DTEND;TZID=Europe/Berlin:20260706T095000',
      'DTSTAMP:20260502T093015Z',
      'DTSTART;TZID=Europe/Berlin:20260706T090000',
      'LAST-MODIFIED:20260502T093015Z',
      'SEQUENCE:3',
      'STATUS:CONFIRMED',
      'SUMMARY:A. L.',
      'TRANSP:OPAQUE',
      'UID:4a0b9f6e-0000-4000-8000-000000000001',
    ]);
  });

  it('without appointments is a calendar', () => expect(strictly(textOf([]))).toEqual([]));

  it('marks cancelled appointments, and shows their time as free', () => {
    const text = textOf([{ ...row, status: 'cancelled' }]);
    expect(propertyOf(text, 'STATUS')).toEqual(['STATUS:CANCELLED']);
    expect(propertyOf(text, 'TRANSP')).toEqual(['TRANSP:TRANSPARENT']);
  });

  it('has initials; names and services only if it is full', () => {
    const summaryOf = (more: Partial<CalendarRow>, full: boolean): string =>
      strictly(textOf([{ ...row, ...more }], { ...berlin, full }))[0]?.summary ?? '';
    expect(summaryOf({}, false)).toBe('A. L.');
    expect(summaryOf({}, true)).toBe('Ada Lovelace (Individual therapy)');
    expect(summaryOf({ client_name: 'Dr. Øystein van der Berg' }, false)).toBe('D. B.');
    expect(summaryOf({ client_name: '🦄' }, false)).toBe('🦄');
    expect(summaryOf({ client_name: null }, true)).toBe('Appointment (Individual therapy)');
    expect(summaryOf({ client_id: null, client_name: null }, false)).toBe('Blocked');
  });
});

/** Zone, local time, instant in UTC, and text. Most of them are close to changes of clocks. */
const walls: readonly (readonly [string, string, string, string])[] = [
  ['UTC', '2026-07-06 09:00', '2026-07-06T09:00', ':20260706T090000Z'],
  ['Europe/Berlin', '2026-03-29 01:30', '2026-03-29T00:30', '20260329T013000'],
  // A local time that does not exist moves forward by the length of the gap.
  ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30', '20260329T033000'],
  // Local times that happen twice are written in UTC.
  ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30', ':20261025T003000Z'],
  ['Europe/Berlin', '2026-10-25 03:30', '2026-10-25T02:30', '20261025T033000'],
  ['America/New_York', '2026-03-08 01:30', '2026-03-08T06:30', '20260308T013000'],
  ['America/New_York', '2026-03-08 02:30', '2026-03-08T07:30', '20260308T033000'],
  ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30', ':20261101T053000Z'],
  ['America/New_York', '2026-11-01 02:00', '2026-11-01T07:00', '20261101T020000'],
  // Clocks change by half an hour.
  ['Australia/Lord_Howe', '2026-01-15 11:00', '2026-01-15T00:00', '20260115T110000'],
  ['Australia/Lord_Howe', '2026-04-05 01:45', '2026-04-04T14:45', ':20260404T144500Z'],
  ['Australia/Lord_Howe', '2026-04-05 02:15', '2026-04-04T15:45', '20260405T021500'],
  ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:45', '20261004T024500'],
  ['Africa/Casablanca', '2026-07-06 08:00', '2026-07-06T07:00', '20260706T080000'],
  ['Asia/Kathmandu', '2026-07-06 12:45', '2026-07-06T07:00', '20260706T124500'],
  ['America/Argentina/Buenos_Aires', '2026-07-06 04:00', '2026-07-06T07:00', '20260706T040000'],
];

/** An appointment of ten hours that begins at the instant. */
function at(instant: string): CalendarRow {
  const start = Date.parse(`${instant}Z`);
  const [starts_at, ends_at] = [start, start + 10 * 3_600_000].map((each) => new Date(each).toISOString());
  return { ...row, starts_at, ends_at } as CalendarRow;
}

describe('a time in a calendar', () => {
  it.each(walls)('in %s on %s is %s UTC', (zone, _, instant, spelled) => {
    const event = eventOf(textOf([at(instant)], { zone, full: false }));
    expect(/^DTSTART(.*)\r$/m.exec(event)?.[1]).toBe(
      spelled.startsWith(':') ? spelled : `;TZID=${zone}:${spelled}`,
    );
  });

  it('is read as the instant of the appointment, with the zone data of the calendar and with the data of a program', () => {
    for (const [zone, , instant] of walls) {
      const text = textOf([at(instant)], { zone, full: false });
      const expected = [zone, `${instant}:00.000Z`];
      expect([zone, strictly(text)[0]?.startDate.toJSDate().toISOString()]).toEqual(expected);
      const event = nodeIcal.sync.parseICS(text)[row.id] as VEvent;
      expect([zone, event.start.toISOString()]).toEqual(expected);
      expect(event).toMatchObject({ summary: 'A. L.', status: 'CONFIRMED' });
    }
  });

  it('has each change of clocks in the span once, and each begins at the offset of the one before', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(zone, (name) => {
        const text = textOf([], { zone: name, full: false });
        if (name === 'UTC') return expect(text).not.toContain('VTIMEZONE');
        const [from, to] = ['TZOFFSETFROM', 'TZOFFSETTO'].map((of) =>
          propertyOf(text, of).map((line) => line.split(':')[1]),
        );
        expect(from?.slice(1)).toEqual(to?.slice(0, -1));
      }),
      { numRuns: 25 },
    );
  });
});

const hostile = [
  'Eve\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:x\r\nSUMMARY:y',
  'a;b,c\\d:e"f',
  'x\nATTENDEE:mailto:eve@example.com',
  'tab\tbell\u0007vertical\u000bdelete\u007fnext\u0085line\u2028separator',
  'n'.repeat(10_000),
  '👩‍👩‍👧‍👦'.repeat(400),
  `${'é'.repeat(67)}🦄ß`,
  ' ',
  '\\n\\N\\;',
];

describe('a hostile name', () => {
  const texts = [...hostile, ...fc.sample(fc.string({ unit: 'grapheme', maxLength: 300 }), 20)];

  it('stays one text of one event, both in full and as initials', () => {
    for (const name of texts)
      for (const full of [true, false]) {
        const text = textOf([{ ...row, client_name: name, service_menu: null }, row], {
          ...berlin,
          full,
        });
        expect(propertyOf(text, 'UID')).toHaveLength(2);
        expect(propertyOf(text, 'ATTENDEE')).toEqual([]);
        const events = strictly(text);
        expect(events).toHaveLength(2);
        const shown = name.replace(/[\p{Cc}\s]+/gu, ' ').trim() || 'Appointment';
        if (full) expect(events[0]?.summary).toBe(shown);
        else expect((events[0]?.summary ?? '').length).toBeLessThanOrEqual(12);
      }
  });
});
