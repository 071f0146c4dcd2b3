// Today in the zone of the practice.

import { practiceSettings } from '@practice/contracts';
import { fromStart, lookup, type Lookup, type LookupContext } from '@practice/resource';
import { wallTimeAt } from '@practice/zone';

/** The lookup that `today` needs. */
export const zoneLookup = (practice: string | undefined): Lookup =>
  lookup(practiceSettings, 'id', [practice]);

export const today = (practice: string, context: LookupContext): string =>
  wallTimeAt(Date.parse(context.now), fromStart(practiceSettings, practice, context).time_zone).date;
