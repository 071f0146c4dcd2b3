// The recurrence rules that a series may have: a subset of RFC 5545, small enough to expand every rule completely.

import { MAX_OCCURRENCES } from '@practice/contracts';
import { reject } from '@practice/core';
import { addDays, wallTimeAt } from '@practice/zone';

/** The parts of a checked rule, in the format of RFC 5545. */
export interface Rule {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  readonly interval: number;
  /** Days of the week: `MO`. In monthly rules, they may have an ordinal: `-1FR`. */
  readonly byDay: readonly string[];
  /** Days of the month. -1 is the last day. */
  readonly byMonthDay: readonly number[];
  /** `spare`: how many occurrences too many an end may have while its zone is not known. */
  readonly end: { readonly count: number } | { readonly until: string; readonly spare: number };
}

const MAX_INTERVAL = 1_000;

/** In its zone, an end at an instant is up to three days before the day after the instant in UTC. */
const MAX_SPARE = 3;

export const LAST_DAY = '9999-12-31';

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
const PARTS = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'COUNT', 'UNTIL'];

/** Checks a rule and reads its parts. @throws {Rejection} 22023 for a rule that a series cannot have */
export function ruleOf(rrule: string): Rule {
  const parts = partsOf(rrule.trim().toUpperCase());
  const frequency = FREQUENCIES.find((one) => one === parts.get('FREQ'));
  if (frequency === undefined) return broken('FREQ must be DAILY, WEEKLY or MONTHLY.');
  return {
    frequency,
    interval: numberIn(parts, 'INTERVAL', MAX_INTERVAL) ?? 1,
    byDay: daysIn(parts, frequency),
    byMonthDay: monthDaysIn(parts, frequency),
    end: endIn(parts),
  };
}

/** The rule with a new number of occurrences, which replaces its end. */
export const withCount = (rrule: string, count: number): string =>
  [
    ...rrule
      .trim()
      .split(';')
      .filter((part) => !/^(?:COUNT|UNTIL)=/i.test(part)),
    `COUNT=${count}`,
  ].join(';');

const INSTANT = /(?<=UNTIL=)(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/i;

/**
 * Replaces an end that is an instant in UTC, the format of RFC 5545 for rules with a time zone, by a date: the last day on which an
 * appointment at `time` starts no later than the instant.
 */
export function untilDay(rrule: string, time: string, zone: string): string {
  return rrule.replace(INSTANT, (text, ...parts: string[]) => {
    const [year, month, day, hour, minute, second] = parts;
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    if (Number.isNaN(at)) return text;
    const last = wallTimeAt(at, zone);
    return (last.time < time ? addDays(last.date, -1) : last.date).replaceAll('-', '');
  });
}

type Parts = ReadonlyMap<string, string>;

function partsOf(rrule: string): Parts {
  const parts = new Map<string, string>();
  for (const part of rrule.split(';')) {
    const [, name = '', value = ''] = /^([A-Z]+)=([^=]+)$/.exec(part) ?? [];
    if (!PARTS.includes(name)) broken(`It may have the parts ${PARTS.join(', ')}, each with a value.`);
    if (parts.has(name)) broken(`${name} occurs twice.`);
    parts.set(name, value);
  }
  return parts;
}

function numberIn(parts: Parts, name: 'INTERVAL' | 'COUNT', max: number): number | undefined {
  const text = parts.get(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : max + 1;
  return value >= 1 && value <= max ? value : broken(`${name} must be a number from 1 to ${max}.`);
}

function daysIn(parts: Parts, frequency: Rule['frequency']): readonly string[] {
  const days = listIn(parts, 'BYDAY');
  const form =
    frequency === 'MONTHLY' ? /^(?:[+-]?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU)$/ : /^(?:MO|TU|WE|TH|FR|SA|SU)$/;
  if (days.every((day) => form.test(day))) return [...new Set(days.map((day) => day.replace('+', '')))];
  return broken(
    'BYDAY is a list of MO, TU, WE, TH, FR, SA, SU; with FREQ=MONTHLY also of 1MO to 5MO and -1MO to -5MO.',
  );
}

function monthDaysIn(parts: Parts, frequency: Rule['frequency']): readonly number[] {
  const days = listIn(parts, 'BYMONTHDAY');
  if (days.length > 0 && frequency === 'WEEKLY') broken('BYMONTHDAY does not go with FREQ=WEEKLY.');
  if (days.every((day) => /^[+-]?(?:0?[1-9]|[12]\d|3[01])$/.test(day))) return [...new Set(days.map(Number))];
  return broken('BYMONTHDAY is a list of numbers from 1 to 31, or from -31 to -1.');
}

const listIn = (parts: Parts, name: 'BYDAY' | 'BYMONTHDAY'): string[] => parts.get(name)?.split(',') ?? [];

function endIn(parts: Parts): Rule['end'] {
  const count = numberIn(parts, 'COUNT', MAX_OCCURRENCES);
  const until = parts.get('UNTIL');
  if ((count === undefined) === (until === undefined)) return broken('It must have either COUNT or UNTIL.');
  if (count !== undefined) return { count };
  const [, year, month, date, time] =
    /^(\d{4})(\d\d)(\d\d)(T(?:[01]\d|2[0-3])(?:[0-5]\d){2}Z)?$/.exec(until ?? '') ?? [];
  const day = `${year}-${month}-${date}`;
  const isDay = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  if (!isDay) return broken('UNTIL must be a date such as 20301231, or an instant such as 20301231T225959Z.');
  // The zone is not known yet. The next day includes the day of the instant in every zone.
  if (time === undefined || day === LAST_DAY) return { until: day, spare: 0 };
  return { until: addDays(day, 1), spare: MAX_SPARE };
}

/** Rejects a rule that a series cannot have, with 22023. */
export const broken = (details: string): never =>
  reject('22023', {
    message: 'invalid recurrence rule',
    details,
    hint: 'For example FREQ=WEEKLY;BYDAY=MO,TH;COUNT=20 or FREQ=MONTHLY;BYDAY=1TU;UNTIL=20301231.',
  });
