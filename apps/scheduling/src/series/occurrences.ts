// The dates of a rule. A library expands the rule. The rule is limited first, so that no expansion takes long.

import { MAX_OCCURRENCES } from '@practice/contracts';
import { outcomeOf, type Problem, reject, TextCache } from '@practice/core';
import { RRuleTemporal } from 'rrule-temporal';
import { broken, LAST_DAY, ruleOf, type Rule } from './rule.js';

/** The maximum number of days, weeks or months times the interval. A rule that needs more for its occurrences is refused. */
const MAX_PERIODS = 1_500;

/** A write that is decided several times expands its rule once. */
const expansions = new TextCache<readonly string[] | Problem>();

/**
 * The dates of a rule that begins on a date, in order.
 * @throws {Rejection} 22023 for a rule that a series cannot have, or that does not contain the date
 */
export function occurrences(rrule: string, date: string): readonly string[] {
  const dates = expansions.get(`${date} ${rrule}`, () => outcomeOf(() => checked(ruleOf(rrule), date)));
  return 'code' in dates ? reject(dates) : dates;
}

function checked(rule: Rule, date: string): readonly string[] {
  const { end } = rule;
  const horizon = horizonOf(rule, date);
  const last = 'until' in end && end.until < horizon ? end.until : horizon;
  const most = MAX_OCCURRENCES + ('until' in end ? end.spare : 0);
  const wanted = 'count' in end ? end.count : most + 1;
  const dates = last < date ? [] : expanded(rule, { date, last, wanted });
  if (dates[0] !== date) broken(`${date} is not an occurrence of it: date must be the first one.`);
  if (dates.length > most) broken(`It has more than ${MAX_OCCURRENCES} occurrences.`);
  const isCut = 'count' in end ? dates.length < end.count : end.until > horizon;
  return isCut ? broken('It reaches too far: its end is too many periods away.') : dates;
}

/** The last day on which occurrences are searched. */
function horizonOf({ frequency, interval }: Rule, date: string): string {
  const day = new Date(date);
  const periods = MAX_PERIODS * interval;
  if (frequency === 'MONTHLY') day.setUTCMonth(day.getUTCMonth() + periods);
  else day.setUTCDate(day.getUTCDate() + periods * (frequency === 'WEEKLY' ? 7 : 1));
  return day.getUTCFullYear() > 9999 ? LAST_DAY : day.toISOString().slice(0, 10);
}

interface Span {
  readonly date: string;
  readonly last: string;
  readonly wanted: number;
}

function expanded(rule: Rule, { date, last, wanted }: Span): string[] {
  const text = [
    `FREQ=${rule.frequency}`,
    `INTERVAL=${rule.interval}`,
    ...(rule.byDay.length === 0 ? [] : [`BYDAY=${rule.byDay.join()}`]),
    ...(rule.byMonthDay.length === 0 ? [] : [`BYMONTHDAY=${rule.byMonthDay.join()}`]),
    `UNTIL=${basic(last)}`,
  ].join(';');
  const rruleString = `DTSTART;VALUE=DATE:${basic(date)}\nRRULE:${text}`;
  const dates = new RRuleTemporal({ rruleString, strict: true }).all((_, index) => index < wanted);
  return dates.map((each) => each.toString().slice(0, 10));
}

/** A date in the basic format: `20301231`. */
const basic = (date: string): string => date.replaceAll('-', '');
