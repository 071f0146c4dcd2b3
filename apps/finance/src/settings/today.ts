// Today in the zone of the practice, and the last day that a final document may have.

import { practiceSettings } from '@practice/contracts';
import { fromStart, lookup, type Lookup, type LookupContext } from '@practice/resource';
import { addDays, wallTimeAt } from '@practice/zone';

/** The lookup that `today` needs. */
export const zoneLookup = (practice: string | undefined): Lookup =>
  lookup(practiceSettings, 'id', [practice]);

export const today = (practice: string, context: LookupContext): string =>
  wallTimeAt(Date.parse(context.now), fromStart(practiceSettings, practice, context).time_zone).date;

/** The last date of an invoice or credit note: neither can be corrected, so a wrong year must not become final. */
export const lastDate = (practice: string, context: LookupContext): string =>
  addDays(today(practice, context), MAX_DAYS_AHEAD);

/** Enough to date the invoices of a month with its last day. */
const MAX_DAYS_AHEAD = 31;
