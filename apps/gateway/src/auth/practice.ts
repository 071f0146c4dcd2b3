import type { PracticeEvents } from '@practice/contracts';
import type { Event } from '@practice/core';

/** A practice exists from now on. What it is called by is the address its owner signs in with. */
export type PracticeOpened = Event<'PracticeOpened', PracticeEvents['PracticeOpened']>;

/** The first fact of every practice. */
export const practiceOpened = (email: string): PracticeOpened => ({
  type: 'PracticeOpened',
  data: { email },
});
