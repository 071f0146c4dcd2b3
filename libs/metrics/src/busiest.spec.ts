import { expect, it } from '@jest/globals';
import { busiest, countUse, nextMinute } from './busiest.js';

it('the busiest practices are the three with the most time in this minute and the previous one', () => {
  for (const [id, ms] of Object.entries({ a: 5, b: 40, c: 20, d: 30 })) countUse(id, ms);
  countUse('a', 45);
  expect(busiest()).toEqual([
    { therapistId: 'a', requests: 2, ms: 50 },
    { therapistId: 'b', requests: 1, ms: 40 },
    { therapistId: 'd', requests: 1, ms: 30 },
  ]);
  expect(nextMinute().map(({ therapistId }) => therapistId)).toEqual(['a', 'b', 'd']);

  countUse('c', 60);
  expect(busiest()[0]).toEqual({ therapistId: 'c', requests: 2, ms: 80 });
  expect(nextMinute()).toEqual([{ therapistId: 'c', requests: 1, ms: 60 }]);
  expect(nextMinute()).toEqual([]);
  expect(busiest()).toEqual([]);
});
