import { describe, expect, it } from '@jest/globals';
import { readOf } from './calendar-query.js';

const id = '0198a0aa-51b7-7e61-b3ad-2f4d8c6e1a77';
const question = { full: true, practitionerId: id, first: '2026-11-01', last: '2026-11-30' };

describe('the read of a calendar', () => {
  it('takes ids and dates', () => {
    expect(() => readOf({ ...question, after: { id, date: '2026-11-02' } })).not.toThrow();
  });

  it.each([
    { practitionerId: `${id}),or(notes.like.*a*` },
    { practitionerId: `${id}))&select=*` },
    { first: '2026-11-01&select=notes' },
    { last: '2026-11-30&select=notes' },
    { after: { id: `${id})),notes.like.*a*`, date: '2026-11-02' } },
    { after: { id, date: '2026-11-02&select=notes' } },
  ])('takes no column or condition from a live process: %j', (part) => {
    expect(() => readOf({ ...question, ...part })).toThrow('not an id or a date');
  });
});
